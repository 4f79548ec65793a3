extension Page {
  /// The script of a page. It links the time axes of all charts by a crosshair, zooms them, and shows details of the
  /// parts of charts. The page is complete without it.
  ///
  /// It is a function without global names, requests nothing, and writes the texts of a result as text only.
  static let script: Markup = #"""
    (() => {
      "use strict";
      const page = id => { const e = document.getElementById(id); return e ? JSON.parse(e.textContent) : {}; };
      const runs = { ...page("result"), ...page("recordings") };
      const space = document.querySelector("svg").namespaceURI;
      const numbers = text => text.split(" ").map(Number);
      const create = (name, parent, attributes) => {
        const e = document.createElementNS(space, name);
        for (const key in attributes) e.setAttribute(key, attributes[key]);
        return parent.appendChild(e);
      };
      const block = (style, parent) => {
        const e = parent.appendChild(document.createElement("div"));
        e.className = style;
        return e;
      };
      const charts = [...document.querySelectorAll("svg[data-time]")].map(svg => {
        const [from, to] = numbers(svg.dataset.time), [left, top, width, height] = numbers(svg.dataset.box);
        const reach = svg.dataset.reach && numbers(svg.dataset.reach);
        const line = create("path", svg, { class: "crosshair" });
        return { svg, from, to, left, top, width, height, reach, line, a: from, b: to, run: runs[svg.dataset.run] };
      });
      const tip = block("tip", document.body), words = block("", tip);
      const keys = [...new Set(charts.map(c => c.svg.dataset.run))].filter(key => runs[key] && runs[key].appearances);
      const screens = block("screens", tip);
      keys.forEach(key => create("svg", screens, { viewBox: "0 0 100 200" }));
      const tools = block("tools", document.body), range = tools.appendChild(document.createElement("span"));
      const reset = tools.appendChild(document.createElement("button"));
      reset.textContent = "Show all";
      tools.hidden = tip.hidden = true;

      // The titles of parts become details that appear at once, also on a touch.
      const texts = new Map();
      document.querySelectorAll("svg g > title").forEach(title => {
        const part = title.parentNode, text = title.textContent;
        texts.set(part, text);
        title.remove();
        if (part.closest("svg[data-time]")) return;
        part.addEventListener("pointermove", event => show(event, text, []));
        part.addEventListener("pointerleave", () => { tip.hidden = true; });
      });

      // The crosshair: one time in all charts.
      const mark = time => charts.forEach(c => {
        const x = c.left + (time - c.a) / (c.b - c.a) * c.width;
        c.line.setAttribute("d", time >= c.a && time <= c.b ? `M${x} ${c.top}v${c.height}` : "");
      });

      // Details of the row and of its transfers at a time, from the recording in the page.
      const offset = (run, time) => {
        const s = run.series, at = time * 1e6 / s.step_us, i = Math.floor(at), list = s.offset_px;
        return i + 1 < list.length ? list[i] + (list[i + 1] - list[i]) * (at - i) : list[list.length - 1] || 0;
      };
      const columns = run => {
        if (run.columns) return run.columns;
        const found = new Map();
        for (const table of [run.appearances, run.transfers]) {
          table.top_px.forEach((top, i) => found.set(top, (found.get(top) || new Set()).add(table.left_px[i])));
        }
        for (const [top, lefts] of found) found.set(top, [...lefts].sort((p, q) => p - q));
        return run.columns = found;
      };
      const ms = span => Math.round(span / 1000) + " ms";
      const rowWords = (run, time, y) => {
        const rows = run.appearances, transfers = run.transfers, now = time * 1e6, found = [];
        const holds = (table, i) => {
          if (table.from_us[i] > now || now >= table.to_us[i]) return false;
          // Images side by side share the height of their row.
          const lefts = columns(run).get(table.top_px[i]) || [table.left_px[i]];
          const height = table.height_px[i] / lefts.length;
          const top = table.top_px[i] + lefts.indexOf(table.left_px[i]) * height;
          return top <= y && y < top + height;
        };
        rows.row.forEach((row, i) => {
          if (!holds(rows, i)) return;
          const shown = rows.shown_us[i];
          found.push(`row ${row}: ` + (shown === null ? "left before its image arrived"
            : shown === rows.from_us[i] ? "image in its first frame"
            : `image after ${ms(shown - rows.from_us[i])}` + (now < shown ? ", still blank" : "")));
        });
        transfers.row.forEach((row, i) => {
          if (holds(transfers, i)) found.push(`transfer of row ${row}: ${transfers.bytes[i]} B in ` +
            `${ms(transfers.to_us[i] - transfers.from_us[i])}, ${transfers.outcome[i]}`);
        });
        return found.slice(0, 6);
      };
      const screenWords = (run, time) => {
        const s = run.series, i = Math.floor(time * 1e6 / s.step_us);
        if (!(s.visible_px_s[i] > 0)) return [];
        return [`blank ${(100 * s.blank_px_s[i] / s.visible_px_s[i]).toFixed(0)} %, ` +
          `${Math.abs(s.velocity_px_s[i]).toFixed(0)} px/s`];
      };
      const draw = (run, screen, time) => {
        const rows = run.appearances, now = time * 1e6, [width, height] = run.viewport_px, scale = 100 / width;
        const top = offset(run, time);
        screen.replaceChildren();
        screen.setAttribute("viewBox", `0 0 100 ${Math.min(400, height * scale)}`);
        create("rect", screen, { class: "screen", width: 100, height: height * scale });
        rows.row.forEach((row, i) => {
          if (rows.from_us[i] > now || now >= rows.to_us[i]) return;
          const shown = rows.shown_us[i], isShown = shown !== null && shown <= now;
          create("rect", screen, {
            class: isShown ? "tile shown" : "tile blank", style: `--tint:${row * 137.5 % 360}`,
            x: rows.left_px[i] * scale, y: (rows.top_px[i] - top) * scale,
            width: rows.width_px[i] * scale, height: rows.height_px[i] * scale
          });
        });
      };
      const place = event => {
        tip.hidden = false;
        const w = tip.offsetWidth, h = tip.offsetHeight, x = event.clientX, y = event.clientY;
        tip.style.left = Math.max(4, x + 16 + w < innerWidth ? x + 16 : x - 16 - w) + "px";
        tip.style.top = Math.max(4, Math.min(y + 16, innerHeight - h - 4)) + "px";
      };
      const hide = () => { tip.hidden = true; mark(-1); };
      const show = (event, title, lines, time) => {
        words.replaceChildren(...[title, ...lines].map((text, i) => {
          const e = document.createElement(i ? "p" : "b");
          e.textContent = text;
          return e;
        }));
        const isRecorded = time !== undefined && keys.every(key => time * 1e6 < runs[key].until_us);
        screens.hidden = !isRecorded;
        if (isRecorded) keys.forEach((key, i) => draw(runs[key], screens.children[i], time));
        place(event);
      };

      // The zoom: one range of time in all charts that overlap it.
      const ticks = c => {
        const step = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 1e4, 2e4, 5e4, 1e5, 2e5, 5e5, 1e6, 1e7]
          .map(n => n / 100).find(s => s * 6 >= c.b - c.a) || c.b - c.a;
        c.fine = create("g", c.svg, { class: "ticks fine" });
        c.svg.prepend(c.fine);
        for (let t = Math.ceil(c.a / step) * step; t <= c.b + step / 1e6; t += step) {
          const x = c.left + (t - c.a) / (c.b - c.a) * c.width;
          create("path", c.fine, { class: "grid", d: `M${x} ${c.top}v${c.height}` });
          const text = create("text", c.fine, { class: "tick middle", x, y: c.top + c.height + 18 });
          text.textContent = +t.toFixed(2) + " s";
        }
      };
      const zoom = (from, to) => {
        const isAll = from === undefined;
        charts.filter(c => c.svg.querySelector(".zoom")).forEach(c => {
          const a = isAll ? c.from : Math.max(from, c.from), b = isAll ? c.to : Math.min(to, c.to);
          if (b <= a) return;
          [c.a, c.b] = [a, b];
          const s = (c.to - c.from) / (b - a), shift = c.left - s * (c.left + (a - c.from) / (c.to - c.from) * c.width);
          c.svg.querySelectorAll(".zoom").forEach(g => g.setAttribute("transform", `matrix(${s} 0 0 1 ${shift} 0)`));
          c.svg.classList.toggle("zoomed", s > 1);
          if (c.fine) c.fine.remove();
          c.fine = null;
          if (s > 1) ticks(c);
        });
        tools.hidden = isAll;
        if (!isAll) range.textContent = `${from.toFixed(2)} s to ${to.toFixed(2)} s `;
      };
      reset.onclick = () => zoom();
      addEventListener("keydown", event => { if (event.key === "Escape") { zoom(); hide(); } });

      charts.forEach(c => {
        const point = event => {
          const box = c.svg.getBoundingClientRect(), scale = c.svg.viewBox.baseVal.width / box.width;
          const x = Math.min(Math.max((event.clientX - box.left) * scale, c.left), c.left + c.width);
          return { time: c.a + (x - c.left) / c.width * (c.b - c.a), y: (event.clientY - box.top) * scale };
        };
        let start = null;
        const band = create("rect", c.svg, { class: "band", y: c.top, height: c.height, width: 0 });
        const end = () => { start = null; band.setAttribute("width", 0); };
        c.svg.addEventListener("pointermove", event => {
          const { time, y } = point(event), run = c.run, item = texts.get(event.target.closest("g"));
          mark(time);
          if (start !== null) {
            const x = [start, time].sort((p, q) => p - q).map(t => c.left + (t - c.a) / (c.b - c.a) * c.width);
            band.setAttribute("x", x[0]);
            band.setAttribute("width", x[1] - x[0]);
          }
          const isInside = y >= c.top && y <= c.top + c.height;
          const place = c.reach && c.reach[0] + (y - c.top) / c.height * (c.reach[1] - c.reach[0]);
          const lines = item ? [item]
            : !run || !run.appearances || !isInside ? [] : c.reach ? rowWords(run, time, place) : screenWords(run, time);
          show(event, time.toFixed(2) + " s", lines, time);
        });
        c.svg.addEventListener("pointerdown", event => { start = point(event).time; });
        c.svg.addEventListener("pointerup", event => {
          const to = point(event).time, from = start;
          end();
          // A drag over less than a hundredth of the chart is a click.
          if (from !== null && Math.abs(to - from) > (c.b - c.a) / 100) zoom(Math.min(from, to), Math.max(from, to));
        });
        c.svg.addEventListener("pointercancel", end);
        c.svg.addEventListener("pointerleave", () => { end(); hide(); });
        c.svg.addEventListener("dblclick", () => zoom());
      });
      document.querySelectorAll("[data-moment]").forEach(e => {
        e.addEventListener("pointerenter", () => mark(parseFloat(e.dataset.moment)));
        e.addEventListener("pointerleave", () => mark(-1));
      });
      document.documentElement.classList.add("scripted");
    })();
    """#

  /// The hash of ``script``, which the Content Security Policy of a page permits; a test compares both.
  static let scriptHash = "sha256-7fBcWRql1APxocBNujlgv9810c4uhW7lBfzqxEXU7iM="
}
