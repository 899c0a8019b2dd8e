/// The candidate that somebody who wrote a name probably meant; `nil` when none is near.
///
/// Near is a third of the name's length in inserted, deleted, replaced or swapped characters, at least one, at most
/// three; upper and lower case count as equal. Of several equally near ones the first counts. Without one, a candidate
/// that begins or ends with a name of at least four characters is near too: `normal` is part of `lognormal`.
///
/// - Complexity: O(candidates × length²), with names longer than 64 bytes left out.
public func nearest(_ name: some StringProtocol, among candidates: [String]) -> String? {
  let longest = 64
  guard name.utf8.count <= longest else { return nil }
  let wanted = Array(name.lowercased().utf8)
  let reach = min(3, max(1, wanted.count / 3))
  var best: (name: String, distance: Int)?
  for candidate in candidates where candidate.utf8.count <= longest {
    let distance = editDistance(wanted, Array(candidate.lowercased().utf8))
    if distance <= reach, distance < best?.distance ?? .max { best = (candidate, distance) }
  }
  if let best { return best.name }
  guard wanted.count >= 4 else { return nil }
  let part = name.lowercased()
  return candidates.first { $0.lowercased().hasPrefix(part) || $0.lowercased().hasSuffix(part) }
}

/// How many insertions, deletions, replacements and swaps of neighbours lead from one text to the other.
///
/// - Source: V. I. Levenshtein, Soviet Physics Doklady 10 (1966), with F. J. Damerau's transposition,
///   CACM 7 (1964), each place edited at most once.
func editDistance(_ a: [UInt8], _ b: [UInt8]) -> Int {
  guard !a.isEmpty, !b.isEmpty else { return max(a.count, b.count) }
  var beforeLast: [Int] = []
  var last = Array(0...b.count)
  for i in 1...a.count {
    var row = [i] + Array(repeating: 0, count: b.count)
    for j in 1...b.count {
      row[j] = min(last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1))
      if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
        row[j] = min(row[j], beforeLast[j - 2] + 1)
      }
    }
    (beforeLast, last) = (last, row)
  }
  return last[b.count]
}
