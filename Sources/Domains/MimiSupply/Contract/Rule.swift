import Contracts

extension MimiSupply {
  /// The rules of the specification's section 4, in its order and its words. Each carries the heading that it comes from;
  /// one that no check judges says why.
  public enum Rule: String, Contracts.Rule {
    case ms01, ms02, ms03, ms04, ms05, ms06, ms07, ms08, ms09, ms10
    case ms11, ms12, ms13, ms14, ms15, ms16, ms17, ms18, ms19, ms20
    case ms21, ms22, ms23, ms24, ms25, ms26, ms27, ms28, ms29, ms30
    case ms31, ms32, ms33, ms34, ms35, ms36, ms37, ms38, ms39, ms40
    case ms41, ms42, ms43, ms44, ms45, ms46, ms47, ms48, ms49, ms50
    case ms51, ms52, ms53, ms54, ms55, ms56, ms57, ms58, ms59, ms60
    case ms61, ms62, ms63, ms64, ms65, ms66, ms67, ms68, ms69, ms70
    case ms71, ms72, ms73, ms74, ms75, ms76, ms77, ms78, ms79, ms80
    case ms81, ms82, ms83, ms84, ms85, ms86, ms87, ms88, ms89, ms90
    case ms91, ms92, ms93, ms94, ms95, ms96, ms97, ms98, ms99, ms100
    case ms101, ms102, ms103, ms104, ms105, ms106, ms107, ms108, ms109, ms110
    case ms111, ms112, ms113, ms114, ms115, ms116, ms117, ms118, ms119, ms120
    case ms121, ms122, ms123, ms124, ms125, ms126, ms127, ms128, ms129, ms130

    public static let themes = [
      platform.named("Platform"), validation.named("Validation"), money.named("Money"),
      ordering.named("Ordering"), orders.named("Orders"), dispatch.named("Dispatch"),
      delivery.named("Delivery"), synchronising.named("Synchronising"), pushes.named("Pushes"),
      access.named("Access"), privacy.named("Privacy"), clients.named("Clients"),
    ]
  }
}
