-- wrk script of server.py: requests thumbnails and prints the result as one JSON object.
--
-- Arguments: the origin, the number of images (0: each request names a new one), and the sizes.
local threads = {}

function setup(thread)
  thread:set("number", #threads)
  table.insert(threads, thread)
end

function init(args)
  origin, images, sizes = args[1], tonumber(args[2]), { args[3], args[4] }
  count, statuses = 0, {}
  -- Without this function wrk does not read the header of responses, and is faster. It counts errors all the same.
  if images == 0 then
    function response(status)
      statuses[tostring(status)] = (statuses[tostring(status)] or 0) + 1
    end
  end
end

function request()
  count = count + 1
  local image = images == 0 and number .. "-" .. count or math.floor(count / #sizes) % images
  local size = sizes[count % #sizes + 1]
  -- FlyingFox keeps a connection only if the request asks for it.
  wrk.headers["Connection"] = "keep-alive"
  return wrk.format("GET", "/thumbnail?size=" .. size .. "&url=" .. origin .. "/" .. image .. ".jpg")
end

function done(summary, latency)
  local totals = {}
  for _, thread in ipairs(threads) do
    for status, number in pairs(thread:get("statuses")) do
      totals[status] = (totals[status] or 0) + number
    end
  end
  if next(totals) == nil then
    totals["200"] = summary.requests - summary.errors.status
    if summary.errors.status > 0 then totals["other"] = summary.errors.status end
  end
  local fields = {}
  for status, number in pairs(totals) do
    table.insert(fields, string.format('"%s": %d', status, number))
  end
  local errors = summary.errors
  io.write(string.format(
    '{"requests": %d, "seconds": %f, "p50": %f, "p99": %f, "max": %f, "broken": %d, "statuses": {%s}}\n',
    summary.requests, summary.duration / 1e6, latency:percentile(50) / 1e6, latency:percentile(99) / 1e6,
    latency.max / 1e6, errors.connect + errors.read + errors.write + errors.timeout, table.concat(fields, ", ")))
end
