import Contracts
import Timekeeping

extension AsiaTravelPlan {
  /// Section 4 of the specification, in its words.
  public enum Rule: String, Contracts.Rule {
    case atp01, atp02, atp03, atp04, atp05, atp06, atp07, atp08, atp09, atp10
    case atp11, atp12, atp13, atp14, atp15, atp16, atp17, atp18, atp19, atp20
    case atp21, atp22, atp23, atp24, atp25, atp26, atp27, atp28, atp29, atp30
    case atp31, atp32, atp33, atp34, atp35, atp36, atp37, atp38, atp39, atp40
    case atp41, atp42, atp43, atp44, atp45, atp46, atp47, atp48, atp49, atp50
    case atp51, atp52, atp53, atp54, atp55, atp56, atp57, atp58, atp59, atp60
    case atp61, atp62, atp63, atp64, atp65, atp66, atp67, atp68, atp69, atp70
    case atp71, atp72, atp73, atp74, atp75, atp76, atp77, atp78, atp79, atp80
    case atp81, atp82, atp83, atp84, atp85, atp86, atp87, atp88, atp89, atp90
    case atp91, atp92, atp93, atp94, atp95, atp96, atp97, atp98, atp99, atp100
    case atp101, atp102, atp103, atp104

    public static let themes: [Theme<Self>] = [
      scope, entrance, tokens, contract, rights, identity, app, bootstrap, effects, robustness,
    ].flatMap { $0 }
  }

  // MARK: Figures

  /// 2.2, of the first stage; `Stage.slaHours` has them all.
  static let slaOfNew = Figure(Rule.atp78, Span.hours(2))
  public static let shortestName = Figure(Rule.atp90, 4, "characters")
  public static let mostEdits = Figure(Rule.atp90, 2, "edits")
  static let mostPerPage = Figure(Rule.atp92, 100, "bookings")
  static let standardPerPage = Figure(Rule.atp92, 25, "bookings")
  static let mostAtMedian = Figure(Rule.atp100, Span.milliseconds(300))
  static let mostPageLoad = Figure(Rule.atp101, Span.seconds(2))
}

// MARK: - Statements

extension AsiaTravelPlan.Rule {
  private static let scope: [Theme<Self>] = [
    Theme(
      "4.1 Scope and surface", keptBy: .device,
      [
        .atp01:
          "App version 1 offers login, booking list, booking detail, stage change, note creation, staff assignment (manager and admin only) and sign-out, each only where the role allows.",
        .atp02:
          "The app sends no request for tour editing, staff management, finance functions or customer administration.",
        .atp03:
          "Customer workflows and tours are later phases: bootstrap says bookings true, customers false, tours false, and the app obeys.",
        .atp04:
          "The app is a native API client: it uses no HTML page of the backend and no cookie login.",
      ]),
    Theme(
      "4.1 Scope and surface",
      [
        .atp05:
          "App and browser use one and the same backend; a change made by one is seen by the other's next read."
      ]),
  ]

  private static let entrance: [Theme<Self>] = [
    Theme(
      "4.2 Who may enter",
      [
        .atp06:
          "Exactly four roles admit a user: atp_admin, atp_manager, atp_accountant, atp_staff, case-sensitive and as whole words.",
        .atp07:
          "One of them is enough; further roles neither help nor harm; several of the four give the union of their rights.",
        .atp08:
          "The backend refuses everybody else on all of /api/v1/ with status 401.",
        .atp11:
          "The backend decides; hiding a control is never the protection. A forbidden call sent by hand gets the documented error.",
      ]),
    Theme(
      "4.2 Who may enter", keptBy: .device,
      [
        .atp09:
          "The app checks the token after login, restore and refresh; without an allowed role it clears the local session and does not enter the booking screens.",
        .atp10:
          "Both gates work on their own: with the app's gate removed the backend still refuses, and the reverse.",
      ]),
  ]

  private static let tokens: [Theme<Self>] = [
    Theme(
      "4.3 Authentication and tokens",
      [
        .atp12:
          "Login is OpenID Connect authorization code with PKCE, method S256.",
        .atp15:
          "The redirect URI is exactly asiatravelplan://auth/callback; so is the valid post-logout redirect URI.",
        .atp17:
          "Where the client does not list that post-logout URI, remote logout fails; the local session is gone all the same.",
        .atp24:
          "A token is accepted only with a valid signature from the published keys, the issuer of the realm, not expired, not before nbf, without tolerance for clock skew; unsigned tokens never; audience and azp are not examined.",
        .atp25:
          "The header must be Bearer with capital B; other schemes count as no token.",
        .atp26:
          "The API reads roles from realm_access.roles, resource_access of asiatravelplan-backend, the top-level roles, and groups (full value and last path segment).",
        .atp27:
          "An access token stays valid until it expires, even after logout; the refresh token does not survive a remote logout.",
      ]),
    Theme(
      "4.3 Authentication and tokens", keptBy: .device,
      [
        .atp13:
          "The app never uses the confidential client asiatravelplan-backend.",
        .atp16:
          "Sign out clears the local session and calls the end-session endpoint.",
        .atp18:
          "Login and logout pages run in the system web-authentication session, not in an embedded view.",
        .atp19:
          "Tokens are stored only in the secure store of the device.",
        .atp20:
          "API calls use the access token; the refresh token is used only for renewal.",
        .atp21:
          "The app refreshes shortly before expiry; no API call ever carries an expired token.",
        .atp22:
          "On refresh failure the app logs out cleanly.",
        .atp23:
          "At most one refresh runs at a time per app; waiting calls use its result.",
      ]),
    Theme([
      .atp14:
        "A separate mobile client is registered: OpenID Connect, public, standard flow on, PKCE required."
        .stated(
          in: "4.3 Authentication and tokens", keptBy: .nobody,
          unjudged: "stands in the registration")
    ]).named("4.3 Authentication and tokens"),
  ]

  private static let contract: [Theme<Self>] = [
    Theme(
      "4.4 API contract", keptBy: .device,
      [
        .atp28:
          "The OpenAPI contract is the only stable interface; the client relies on no storage detail and no undocumented member.",
        .atp29:
          "Every /api/v1/ call of the app carries the bearer token.",
        .atp30:
          "The app's list request is page=1, page_size=20, sort=created_at_desc.",
      ]),
    Theme(
      "4.4 API contract",
      [
        .atp31:
          "The eight endpoints of the app (OP-01 to OP-08) exist under exactly their paths and methods.",
        .atp32:
          "Assignment keeps the path /owner although it means staff assignment.",
        .atp33:
          "The assignment body may carry owner_id or staff, with the same effect.",
        .atp34:
          "A booking always shows staff, staff_name and its current stage; its activities are obtainable.",
        .atp35:
          "Alias fields agree: owner_id equals staff, owner_name equals staff_name, always.",
      ]),
    Theme([
      .atp104:
        "Client models and request building are generated from the contract; its metadata lists contract version, roles, stages, paths and the bootstrap schema."
        .stated(
          in: "4.4 API contract", keptBy: .nobody,
          unjudged:
            "is the build of the app; what its metadata lists is judged by ATP-06, ATP-31, ATP-66, ATP-73 and ATP-75"
        )
    ]).named("4.4 API contract"),
  ]

  private static let rights: [Theme<Self>] = [
    Theme(
      "4.5 Rights per role",
      [
        .atp36:
          "atp_staff reads only bookings assigned to them: list, detail, activities, invoices, search results, totals.",
        .atp37:
          "atp_staff edits only bookings assigned to them: stage and activity.",
        .atp38:
          "atp_staff cannot change assignments, not even of an own booking, not even to themselves or to nobody.",
        .atp39:
          "atp_staff has no access to tours.",
        .atp40:
          "atp_manager reads and edits all bookings.",
        .atp41:
          "atp_manager changes assignments.",
        .atp42:
          "atp_manager creates staff records.",
        .atp43:
          "atp_manager neither edits nor reads tours.",
        .atp44:
          "atp_admin reads and edits all bookings, changes assignments, creates staff records.",
        .atp45:
          "atp_admin reads and edits tours.",
        .atp46:
          "atp_accountant reads all bookings.",
        .atp47:
          "atp_accountant does not edit bookings in general: no activity, no assignment, no invoice change.",
        .atp48:
          "atp_accountant may change the stage of any booking, assigned or not.",
        .atp49:
          "atp_accountant reads tours and edits none.",
        .atp50:
          "Only manager and admin assign staff and list the staff directory.",
        .atp51:
          "Editing a booking consists of stage change, activity creation and invoice change; no other booking field can be written.",
      ])
  ]

  private static let identity: [Theme<Self>] = [
    Theme(
      "4.6 Staff identity",
      [
        .atp52:
          "For atp_staff the user is found by the token's preferred_username, which must match an entry of some staff record's usernames.",
        .atp53:
          "An unmapped atp_staff user gets no staff-scoped booking access: 403 on list and on every single booking.",
        .atp54:
          "Comparison of usernames ignores letter case and surrounding blanks, and never matches parts.",
        .atp55:
          "A username belongs to one record at most; creation with a used one is refused.",
        .atp56:
          "The mapping is evaluated on every request; a new record or a reassignment acts at once, with the same token.",
        .atp57:
          "The mapping matters only for rights that come from atp_staff; other roles need no staff record.",
      ])
  ]

  private static let app: [Theme<Self>] = [
    Theme(
      "4.7 App behaviour by role", keptBy: .device,
      [
        .atp58:
          "Staff: the list shows assigned bookings only; note and stage controls only on assigned ones; assignment controls and tours hidden.",
        .atp59:
          "Manager: all bookings, editing, assignment controls; tours hidden.",
        .atp60:
          "Admin: as manager; tours editable only if tours come to mobile later.",
        .atp61:
          "Accountant: all bookings, stage control only, everything else read-only.",
        .atp62:
          "First-version screens: login, list, detail, stage update, activity timeline, add note, staff picker (manager and admin), settings with logout.",
        .atp63:
          "The role service answers five questions: is admin, is manager, is accountant, is staff, is allowed user.",
      ]),
    Theme([
      .atp64:
        "Suggested app modules are Auth, Networking, Models, Bookings, Session, Settings, with one service each."
        .stated(
          in: "4.7 App behaviour by role", keptBy: .nobody,
          unjudged: "names the parts of the app, which no wire shows"),
      .atp65:
        "App technology: Swift, SwiftUI, system web-authentication session, Keychain; iPhone only."
        .stated(
          in: "4.7 App behaviour by role", keptBy: .nobody,
          unjudged: "is not observable on the wire"),
    ]).named("4.7 App behaviour by role"),
  ]

  private static let bootstrap: [Theme<Self>] = [
    Theme(
      "4.8 Bootstrap gate",
      [
        .atp66:
          "The bootstrap document needs no authentication and has all its members.",
        .atp73:
          "api.contract_version is 2026-03-01.1; a breaking change must raise it.",
        .atp74:
          "min_supported_version is at most latest_version.",
      ]),
    Theme(
      "4.8 Bootstrap gate", keptBy: .device,
      [
        .atp67:
          "The app fetches it at start, before login, restore or any other call.",
        .atp68:
          "If the installed version is below the minimum: show Please update and stop.",
        .atp69:
          "Equal or newer passes; versions compare by dot-separated numbers, missing parts are 0, a part counts by its leading digits.",
        .atp70:
          "force_update also stops the app at that screen, whatever the version.",
        .atp72:
          "If the document cannot be had, the app shows a start-up failure with a retry, and does not go on.",
      ]),
    Theme([
      .atp71:
        "In-house distribution: no compatibility below the minimum is promised; the API itself does not look at app versions."
        .stated(
          in: "4.8 Bootstrap gate", keptBy: .nobody,
          unjudged: "promises nothing that a request could ask for: none names a version"
        )
    ]).named("4.8 Bootstrap gate"),
  ]

  private static let effects: [Theme<Self>] = [
    Theme(
      "4.9 Effects of operations",
      [
        .atp75:
          "stage is always one of the nine values; any other is refused.",
        .atp76:
          "Every transition between the nine stages is accepted, also to the same stage.",
        .atp77:
          "A successful stage change sets stage, sla_due_at and updated_at and appends exactly one STAGE_CHANGED.",
        .atp78:
          "sla_due_at is the time of the change plus \(AsiaTravelPlan.slaOfNew) for NEW and the stage's own hours for others, or null where it has none.",
        .atp79:
          "A successful assignment sets all four staff fields and updated_at, appends exactly one STAFF_CHANGED, leaves stage and sla_due_at alone.",
        .atp80:
          "Only an existing, active staff record can be assigned; else the request is refused and nothing changes.",
        .atp81:
          "null, empty text, or neither member present unassigns: all four staff fields become null.",
        .atp82:
          "With both members present and non-empty, owner_id counts.",
        .atp83:
          "A successful activity creation returns the new entry with upper-cased type and trimmed detail, and sets the booking's updated_at.",
        .atp84:
          "actor comes from the token; an actor in the body never overrides it.",
        .atp85:
          "A timeline comes oldest first and is append-only.",
        .atp86:
          "A refused request changes nothing: no field, no updated_at, no activity.",
        .atp87:
          "Stage and assignment requests change nothing but their own fields, whatever else the body contains.",
        .atp88:
          "A booking from the website starts in NEW, unassigned, due in \(AsiaTravelPlan.slaOfNew), with one BOOKING_CREATED entry.",
        .atp89:
          "The same Idempotency-Key with a valid body gets the first booking's ids and deduplicated true, and no second booking; validation precedes the key lookup.",
        .atp90:
          "Customers are matched at creation by e-mail, else by phone digits, else by a name of at least \(AsiaTravelPlan.shortestName) at edit distance of at most \(AsiaTravelPlan.mostEdits); a match updates that customer and makes deduplicated true.",
        .atp91:
          "created_at, id and customer_id never change; updated_at never decreases and is at least created_at.",
        .atp92:
          "Lists are paged, sorted, filtered and searched as documented: at most \(AsiaTravelPlan.mostPerPage) to a page, and \(AsiaTravelPlan.standardPerPage) where nothing is said.",
        .atp93:
          "Errors come as documented, in the documented order.",
        .atp94:
          "Invoices of a booking come latest change first; amounts are integers; due_amount_cents is above 0.",
        .atp95:
          "Every answer carries the cross-origin headers, which are seen over HTTP, of requests without Origin; OPTIONS gives 204 without authentication.",
      ])
  ]

  private static let robustness: [Theme<Self>] = [
    Theme(
      "4.10 Robustness and speed",
      [
        .atp96:
          "A write answered with success is visible to every later read.",
        .atp97:
          "No lost update: n confirmed activities on a booking, sent in parallel, give n new timeline entries with n different ids.",
        .atp98:
          "Parallel changes of different fields both survive; of the same field the last one wins and equals the last matching timeline entry.",
        .atp99:
          "Well-formed requests never get 5xx, also while others write.",
        .atp103:
          "Creation is idempotent by key; timeline entries for customer-facing actions are immutable.",
      ]),
    Theme([
      .atp100:
        "Common booking operations answer in under \(AsiaTravelPlan.mostAtMedian) at the median."
        .stated(
          in: "4.10 Robustness and speed", keptBy: .nobody, unjudged: "is an objective of scenarios"
        ),
      .atp101:
        "A list of a hundred answers in under \(AsiaTravelPlan.mostPageLoad)."
        .stated(
          in: "4.10 Robustness and speed", keptBy: .nobody, unjudged: "is an objective of scenarios"
        ),
      .atp102:
        "Availability is 99.9 % a month."
        .stated(
          in: "4.10 Robustness and speed", keptBy: .nobody, unjudged: "is an objective of scenarios"
        ),
    ]).named("4.10 Robustness and speed"),
  ]
}
