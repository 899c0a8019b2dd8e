import Contracts

/// The mobile API's methods and paths by the numbers of the specification's table (§3.4).
extension KantineKoning {
  public static func route(of operation: Operation) -> WireRoute? {
    guard let row = routes[operation.source] else { return nil }
    return WireRoute(row.method, basePath + row.path, query: row.query)
  }

  private static let routes: [String: (method: String, path: String, query: [String])] = [
    "O1": ("POST", "/enrollments/request", []),
    "O2": ("POST", "/enrollments/request", []),
    "O3": ("POST", "/enrollments/register", []),
    "O4": ("POST", "/enrollments/sync", []),
    "O5": ("GET", "/enrollments/status", []),
    "O6": ("POST", "/enrollments/remove-teams", []),
    "O7": ("DELETE", "/enrollments/tenant", []),
    "O8": ("DELETE", "/enrollments/all", []),
    "O9": ("PUT", "/enrollment/email-preferences", []),
    "O10": ("POST", "/device/apns-token", []),
    "O11": ("GET", "/tenants", []),
    "O12": ("GET", "/tenants/search", ["q"]),
    "O13": ("GET", "/teams/search", ["tenant", "q"]),
    "O14": ("GET", "/diensten", ["tenant", "past_days", "future_days"]),
    "O15": ("POST", "/diensten/{id}/volunteer", ["tenant"]),
    "O16": ("DELETE", "/diensten/{id}/volunteer", ["tenant", "naam"]),
    "O17": ("GET", "/leaderboard", ["tenant", "period", "team_id"]),
    "O18": ("GET", "/leaderboard/global", ["tenant", "period", "team_id"]),
    "O19": ("GET", "/banners", ["randomize", "tenant"]),
    "O20": ("GET", "/season-summary/{tenant}/{team_code}", []),
    "O21": ("GET", "/diensten/available", ["current_team_code"]),
    "O22": ("GET", "/diensten/{id}", ["tenant", "token"]),
    "O23": ("POST", "/diensten/{id}/claim", []),
    "O24": ("PUT", "/diensten/{id}/transfer-offer", []),
    "O25": ("POST", "/cta/shift-volunteer", []),
  ]
}
