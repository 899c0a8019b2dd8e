import HTTPLoad
import Timekeeping

/// Calls one after another, or so many at a time, and what became of them.
func calls(
  _ url: String, times: Int = 1, slots: Int = 4, method: String? = nil, headers: [String] = [],
  body: [UInt8]? = nil, options: HTTPOptions = HTTPOptions(timeOut: .seconds(10), keptBytes: 64)
) throws -> [HTTPAnswer] {
  try calls(
    try HTTPRoute(url, method: method, headers: headers, body: body), times: times, slots: slots,
    options: options)
}

func calls(
  _ route: HTTPRoute, times: Int, slots: Int, options: HTTPOptions
) throws -> [HTTPAnswer] {
  var answers: [HTTPAnswer] = []
  let client = try HTTPClient(slots: slots, options: options) { _, answer in
    answers.append(answer)
  }
  var sent = 0
  let end = client.clock + .seconds(60)
  while answers.count < times, client.clock < end {
    while sent < times, client.hasRoom {
      client.send(route, tag: sent)
      sent += 1
    }
    client.turn(until: client.clock + .milliseconds(50))
  }
  return answers
}
