extension Page {
  /// The style sheet. Blue and orange differ for every kind of color vision, and by their lightness in gray.
  /// Text has a contrast of at least 4.5 to its background in both color schemes (WCAG 2.2, 1.4.3).
  static let style: Markup = """
    :root{color-scheme:light dark;--bg:#fff;--card:#f5f6f8;--ink:#171a21;--muted:#565d6b;--line:#dfe2e8;--grid:#e9ebef;
    --shown:#4a86d9;--preview:#a9cbf5;--blank:#e8590c;--fetch:#2b8a3e;--fetch-wait:#a3d9ae;--gone:#868e96;--gone-2:#f1f3f5;
    --failed:#c2255c;--view:#eef1f6;--edge:#2a3040;--accent:#1c5fb8;--good:#2b7a3a;--bad:#b3261e;--tile-l:70%;--tile-c:62%}
    @media screen and (prefers-color-scheme:dark){:root{--bg:#101318;--card:#191d25;--ink:#e9ecf2;--muted:#a2abba;--line:#2d333f;--grid:#232934;
    --shown:#4f8fe6;--preview:#28466e;--blank:#ff7a2e;--fetch:#51cf66;--fetch-wait:#2a5c37;--gone:#909aa8;--gone-2:#3c4553;
    --failed:#f06595;--view:#1d222c;--edge:#cfd6e4;--accent:#7db3ff;--good:#69db7c;--bad:#ff8a80;--tile-l:48%;--tile-c:50%}}
    *{box-sizing:border-box}
    body{margin:0 auto;padding:22px 24px 64px;max-width:1240px;background:var(--bg);color:var(--ink);
    font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;font-variant-numeric:tabular-nums}
    .defs{position:absolute}
    h1{font-size:25px;line-height:1.25;margin:0 0 8px;letter-spacing:-.01em;text-wrap:balance}.kicker{margin:0 0 4px;color:var(--muted);font-size:14px}h2{font-size:21px;margin:0 0 6px}h3{font-size:14px;margin:0;font-weight:600}
    .lead{font-size:15px;margin:0 0 4px}.meta{color:var(--muted);font-size:14px;margin:10px 0 0}
    .warning{border:1px solid var(--bad);border-radius:8px;color:var(--bad);font-weight:600;margin:0 0 14px;padding:8px 12px}
    a{color:var(--accent)}nav{font-size:14px;margin:10px 0 0}nav a{margin-right:16px;white-space:nowrap;display:inline-block;padding:4px 0}
    section{margin:44px 0 0}#film{margin:12px 0 0}#film .reading{max-width:none;font-size:13px;margin:0}section.first{margin:12px 0 0}p.reading{color:var(--muted);font-size:15px;max-width:52em;margin:0 0 10px}p.reading b{color:var(--ink);font-weight:600}
    .cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(180px,1fr));gap:12px}
    .card{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:12px 14px}
    .card h3{font-size:13px;font-weight:500}.card .value{font-size:27px;line-height:1.2;font-weight:650;margin:2px 0 0;letter-spacing:-.02em}
    .card .interval{margin:0;color:var(--muted);font-size:12px}.card .versus{margin:4px 0 0;font-size:13px}.card .meaning{margin:6px 0 0;font-size:13px;color:var(--muted)}
    .film{display:grid;grid-template-columns:repeat(8,minmax(0,1fr));gap:0 12px;list-style:none;margin:0 0 8px;padding:0;font-size:12px;line-height:1.3;text-align:center}
    .film svg{display:block;width:100%;max-width:76px;height:auto;margin:4px auto 2px;border-radius:6px}.film .frame{color:var(--muted)}.film li{display:grid;grid-row:span 5;grid-template-rows:subgrid;padding-bottom:10px}.film.one li{grid-row:span 3}
    .card.holds .value{color:var(--good)}.card.broken{border-color:var(--bad)}.card.broken .value{color:var(--bad)}
    figure{margin:0}figcaption{color:var(--muted);font-size:14px;margin-top:8px;max-width:52em}
    .panels svg{display:block;width:100%;height:auto;margin-bottom:8px;overflow:visible}.panel{position:relative;min-width:0}.panel-title{margin:0;font-size:14px;font-weight:600}
    .pair .panels{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:4px 28px}.single{display:grid;grid-template-columns:minmax(0,2fr) minmax(0,3fr);gap:0 28px;align-items:start}
    .single details{grid-column:1/-1}.single .legend{flex-direction:column}.wide .panels:focus-visible{outline:2px solid var(--accent);outline-offset:4px}
    .scroll,.wide .panels{overflow-x:auto;background:linear-gradient(90deg,var(--bg) 40%,transparent) 0/30px 100% no-repeat local,linear-gradient(270deg,var(--bg) 40%,transparent) 100%/30px 100% no-repeat local,
    linear-gradient(90deg,var(--gone),transparent) 0/10px 100% no-repeat scroll,linear-gradient(270deg,var(--gone),transparent) 100%/10px 100% no-repeat scroll}.wide svg{min-width:700px}
    .legend{display:flex;flex-wrap:wrap;gap:4px 20px;list-style:none;margin:0 0 10px;padding:0;font-size:14px}
    .swatch{display:inline-block;width:14px;height:14px;border-radius:3px;margin-right:7px;vertical-align:-2px}
    i.shown{background:var(--shown)}i.preview{background:var(--preview)}i.blank{background:var(--blank)}i.fetch{background:var(--fetch)}
    i.fetch.waiting{background:var(--fetch-wait)}i.failed,i.after{background:var(--failed)}i.unseen{background:var(--blank)}
    i.line{height:3px;background:var(--gone);vertical-align:4px}i.own{background:var(--shown)}i.third,i.other-5{background:var(--fetch)}i.bound{background:var(--ink)}
    i.other-1{background:#9c6ade}i.other-2{background:#d6336c}i.other-3{background:#b08900}i.other-4{background:#0c8599}
    i.cancelled{background:repeating-linear-gradient(45deg,var(--gone) 0 2px,var(--gone-2) 2px 5px)}
    svg text{font-family:inherit;fill:var(--ink)}svg .tick{font-size:11.5px;fill:var(--muted)}svg .axis{font-size:12px;fill:var(--muted)}
    svg .label{font-size:13px}svg .strong{font-weight:600}svg .subtitle{font-size:14px;font-weight:600}svg .end{text-anchor:end}svg .middle{text-anchor:middle}
    svg .sign{font-size:12px;font-weight:700;fill:var(--accent)}
    .ground{fill:none;stroke:var(--line)}.grid{stroke:var(--grid);fill:none}
    .viewport{fill:var(--view)}.edge{fill:none;stroke:var(--edge);stroke-width:1.1;stroke-linejoin:round}
    .moment{fill:var(--accent);fill-opacity:.1;stroke:var(--accent);stroke-width:1;stroke-dasharray:3 3}
    svg .shown{fill:var(--shown)}svg .preview{fill:var(--preview)}svg .blank{fill:var(--blank)}
    svg .fetch{fill:var(--fetch)}svg .fetch.waiting{fill:var(--fetch-wait)}svg .failed{fill:var(--failed)}svg .cancelled{fill:url(#hatch)}
    svg .thin{fill-opacity:.75}svg .cancelled.thin{fill:var(--gone)}
    .hatch-ground{fill:var(--gone-2)}.hatch-line{fill:var(--gone)}.sparse-line{fill:var(--line)}
    .area.speed{fill:var(--gone);fill-opacity:.6}
    .line{fill:none;stroke:var(--gone);stroke-width:1.4;stroke-linejoin:round}.line.own{stroke:var(--shown);stroke-width:3}
    .line.bound{stroke:var(--ink);stroke-dasharray:5 4}.line.naive{stroke:var(--gone);stroke-width:2}.line.third{stroke:var(--fetch);stroke-width:2}
    .line.other-1{stroke:#9c6ade}.line.other-2{stroke:#d6336c}.line.other-3{stroke:#b08900}.line.other-4{stroke:#0c8599}.line.other-5{stroke:var(--fetch);stroke-width:2}
    .impossible{fill:url(#sparse)}.mark{stroke:var(--muted);stroke-dasharray:2 3;fill:none}
    svg .unseen{fill:var(--blank)}svg .after{fill:var(--failed)}
    .screen{fill:var(--card)}.words{stroke:var(--line);stroke-width:4;stroke-linecap:round}.bezel{fill:none;stroke:var(--line);stroke-width:2}
    svg .tile.shown{fill:hsl(var(--tint) var(--tile-c) var(--tile-l))}svg .tile.preview{fill:hsl(var(--tint) 30% var(--tile-l));fill-opacity:.45}
    svg .tile.blank{fill:var(--blank);fill-opacity:.22;stroke:var(--blank);stroke-width:1.5}
    table{border-collapse:collapse;font-size:14px}caption{text-align:left;font-weight:600;padding:0 0 6px}
    td,th{padding:4px 16px 4px 0;border-bottom:1px solid var(--line);text-align:right;vertical-align:top}th[scope=row]{text-align:left;font-weight:400}thead th{color:var(--muted);font-weight:500}
    thead th:first-child{text-align:left}details{margin-top:10px}summary{cursor:pointer;color:var(--accent);font-size:14px;padding:4px 0}details caption{display:none}
    .settings{columns:3 280px;column-gap:32px;margin:20px 0}.settings>div{break-inside:avoid;margin-bottom:20px}.settings td{text-align:right;overflow-wrap:break-word}.settings table{width:100%}
    .numbers table{width:100%;margin:20px 0 0}.numbers td,.numbers th{white-space:nowrap;width:16%}.numbers thead th:first-child,.numbers th[scope=row]{width:36%}
    pre{background:var(--card);border:1px solid var(--line);border-radius:8px;padding:12px 14px;font:13px/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,monospace;white-space:pre-wrap;overflow-wrap:anywhere}pre span{display:inline-block}
    ul.plain{padding-left:20px;font-size:14px;color:var(--muted)}footer{margin-top:56px;padding-top:16px;border-top:1px solid var(--line);color:var(--muted);font-size:14px}
    .crosshair{stroke:var(--accent);fill:none;stroke-width:1}.band{fill:var(--accent);fill-opacity:.15}.zoom *{vector-effect:non-scaling-stroke}.zoomed .ticks:not(.fine),.zoomed .moments{display:none}
    .scripted svg[data-time]{cursor:crosshair;touch-action:pan-y;user-select:none}.film li:hover b{color:var(--accent)}
    .tip{position:fixed;z-index:2;pointer-events:none;max-width:320px;background:var(--card);border:1px solid var(--line);border-radius:8px;padding:8px 10px;font-size:13px;line-height:1.35;box-shadow:0 2px 12px #0003}
    .tip p{margin:2px 0 0}.screens{display:flex;gap:8px}.tip svg{width:76px;height:auto;margin-top:6px;border-radius:4px}.tools{position:fixed;z-index:2;bottom:12px;left:50%;transform:translateX(-50%);background:var(--card);border:1px solid var(--line);border-radius:8px;padding:8px 12px;font-size:14px}
    [hidden]{display:none!important}button{font:inherit;color:var(--accent);background:none;border:1px solid var(--line);border-radius:6px;padding:2px 10px}
    @media screen and (max-width:760px){body{padding:18px 14px 48px}h1{font-size:21px}.lead{font-size:15px}.cards{grid-template-columns:repeat(2,minmax(0,1fr));gap:8px}
    .film{grid-template-columns:repeat(4,minmax(0,1fr))}.pair .panels,.single{grid-template-columns:minmax(0,1fr)}.panels svg .tick,.panels svg .axis{font-size:15px}.panels svg .label{font-size:16px}
    .panels svg .dense{font-size:11.5px}.numbers td,.numbers th{white-space:normal;padding-right:6px;font-size:12px}}
    @media print{:root{color-scheme:light}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}
    body{max-width:none;padding:0;font-size:11px;line-height:1.4}h1{font-size:22px}h2{font-size:16px}
    h3,table,figcaption,ul.plain,footer,p.meta,.legend,p.reading,.card .meaning{font-size:11px}.lead{font-size:13px}.lead,p.reading,figcaption{max-width:none}
    nav{display:none}section{margin-top:22px}section.first{margin-top:12px}footer{margin-top:20px;padding-top:8px}
    .cards{grid-template-columns:repeat(3,1fr);gap:8px;margin:0}.card{padding:6px 8px}.card .value{font-size:20px;margin:2px 0 0}.card .versus,.film{font-size:10px}
    .card .interval{font-size:10px}.card .meaning{margin-top:6px}.scroll,.wide .panels{overflow:visible;background:none}.wide svg{min-width:0}.panels svg{margin-bottom:4px}.film svg{max-width:70px}.tools,.tip{display:none}
    .card,.panel,tr,figcaption,p.reading,.legend,details,.numbers>div,pre{break-inside:avoid}h2,h3,p.reading,.legend,caption,thead,.words{break-after:avoid}
    details{margin-top:6px}details::details-content{content-visibility:visible;display:block}summary{display:none}details caption{display:table-caption}caption{padding-bottom:2px}
    td,th{padding-top:1px;padding-bottom:1px}.numbers table{margin-top:12px}.settings{columns:2;column-gap:24px;margin:12px 0}.settings>div{margin-bottom:12px}}
    @page{margin:12mm}
    """
}
