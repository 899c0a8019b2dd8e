import Contracts

extension Kilwinning {
  /// The rules of the specification's section 4, in its order.
  public enum Rule: String, Contracts.Rule {
    case kw001, kw002, kw003, kw004, kw005, kw006, kw010, kw011, kw012, kw013
    case kw014, kw015, kw016, kw017, kw018, kw019, kw020, kw021, kw022, kw023
    case kw024, kw025, kw026, kw027, kw030, kw031, kw032, kw033, kw034, kw035
    case kw036, kw037, kw038, kw040, kw041, kw042, kw043, kw044, kw045, kw046
    case kw047, kw048, kw049, kw050, kw051, kw052, kw053, kw054, kw060, kw061
    case kw062, kw063, kw064, kw065, kw066, kw067, kw068, kw069, kw070, kw071
    case kw072, kw075, kw076, kw077, kw078, kw079, kw080, kw081, kw082, kw083
    case kw084, kw085, kw086, kw087, kw088, kw089, kw090, kw091, kw092, kw093
    case kw094, kw095, kw096, kw097, kw098, kw099, kw100, kw101, kw110, kw111
    case kw112, kw113, kw114, kw115, kw116, kw117, kw118, kw119, kw120, kw121
    case kw122, kw123, kw124, kw125, kw126, kw127, kw128, kw129, kw130, kw131
    case kw132, kw133, kw134, kw135, kw136, kw140, kw141, kw142, kw143, kw145
    case kw146, kw147, kw148, kw149, kw150, kw151, kw152, kw153, kw154, kw155
    case kw156, kw157, kw158, kw159, kw160, kw161, kw162, kw163, kw164, kw165

    public static let themes: [Theme<Self>] = named.flatMap { name, themes in
      themes.map { $0.named(name) }
    }

    private static let named: [(String, [Theme<Self>])] = [
      ("Login", login), ("Administrators", administrators), ("Fratelli", fratelli),
      ("Tornate", tornate), ("Presenze", presenze), ("Anno", anno), ("Statistics", statistics),
      ("Launching", launching), ("Offline", offline), ("Export", export), ("Widget", widget),
      ("Biometrics", biometric), ("Transport", transport),
    ]
  }
}
