import Contracts

extension KantineKoning {
  /// In characters as people count them: extended grapheme clusters.
  public static let longestName = Figure(Rule.kk58, 15, "characters")

  /// The rules of the specification's section 4, in its order and its words. Each carries the heading that it comes from;
  /// one that no check judges says why.
  public enum Rule: String, Contracts.Rule {
    case kk01, kk02, kk03, kk04, kk05, kk06, kk07, kk08, kk09, kk10
    case kk11, kk12, kk13, kk14, kk15, kk16, kk17, kk18, kk19, kk20
    case kk21, kk22, kk23, kk24, kk25, kk26, kk27, kk28, kk29, kk30
    case kk31, kk32, kk33, kk34, kk35, kk36, kk37, kk38, kk39, kk40
    case kk41, kk42, kk43, kk44, kk45, kk46, kk47, kk48, kk49, kk50
    case kk51, kk52, kk53, kk54, kk55, kk56, kk57, kk58, kk59, kk60
    case kk61, kk62, kk63, kk64, kk65, kk66, kk67, kk68, kk69, kk70
    case kk71, kk72, kk73, kk74, kk75, kk76, kk77, kk78, kk79, kk80
    case kk81, kk82, kk83, kk84, kk85, kk86, kk87, kk88, kk89, kk90
    case kk91, kk92, kk93, kk94, kk95, kk96, kk97, kk98, kk99, kk100
    case kk101, kk102, kk103, kk104, kk105, kk106, kk107, kk108, kk109, kk110
    case kk111, kk112, kk113, kk114, kk115, kk116, kk117, kk118, kk119, kk120
    case kk121, kk122, kk123, kk124, kk125, kk126, kk127, kk128, kk129, kk130
    case kk131, kk132, kk133, kk134, kk135, kk136, kk137, kk138, kk139, kk140

    public static let themes = [
      identity.named("Identity"), onboarding.named("Onboarding"), dienst.named("Diensten"),
      reconciliation.named("Reconciliation"), push.named("Push and leaderboard"),
      remaining.named("Seasons and takeover"),
    ]
  }
}
