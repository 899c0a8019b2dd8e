import Contracts
import KilwinningContract
import Observations
import Timekeeping

/// Launch, secure store, login, management and anni: KW-025, KW-052, KW-053, KW-078, KW-079, KW-110, KW-112 to KW-117, KW-120,
/// KW-122, KW-145 to KW-149 and KW-154.
enum DeviceChecks {
  static let all: [KWCheck] = management + launching + loading + biometric

  private static let management: [KWCheck] = [
    .device(
      .kw025,
      noted: { note, _, diary, judge in
        guard case .shows(.dashboard(let view)) = note, let user = diary.user, !user.adminAccess
        else { return }
        judge.expect(!view.tiles.contains(.gestione), "\(user.nome) is shown the management")
      },
      { call, diary, judge in
        guard call.isAdministrative, let user = diary.user else { return }
        judge.expect(user.adminAccess, "\(user.nome)'s device asked below /admin")
      }),
    .device(
      .kw052,
      noted: { note, _, _, judge in
        if case .asksBeforeDeleting(_, false) = note { judge.held() }
      },
      { call, diary, judge in
        guard case .deleteTornata(let id) = call.request else { return }
        judge.expect(diary.deletable == id, "tornata \(id) was deleted without asking")
      }),
    .device(
      .kw053,
      noted: { note, _, diary, judge in
        if case .launched = note, diary.due == .list { judge.violated("no list after a write") }
      },
      { call, diary, judge in
        switch (diary.due, call.request) {
        case (.list, .tornate): judge.held()
        case (.list, _): judge.violated("after a write of the management no list was loaded")
        case (.noMoreLists, .tornate(let query)) where query.stato == nil && diary.opening == nil:
          judge.violated("after a write of the management the list was loaded twice")
        default: break
        }
      }),
    .device(
      .kw120,
      noted: { note, _, diary, judge in
        guard diary.due == .statistics else { return }
        switch note {
        case .launched, .opens: judge.violated("no figures were loaded after a write")
        default: break
        }
      },
      { call, diary, judge in
        switch (diary.due, call.request) {
        case (.statistics, .statistiche): judge.held()
        case (.statistics, _): judge.violated("after a write no figures were loaded")
        case (.noMoreStatistics, .statistiche) where diary.opening == nil:
          judge.violated("after a write the figures were loaded twice")
        default: break
        }
      }),
    .device(
      .kw131,
      noted: { note, _, diary, judge in
        guard case .shows(.dashboard(let view)) = note, !diary.isOnline,
          diary.user?.adminAccess == true
        else { return }
        judge.expect(!view.tiles.contains(.gestione), "the management is shown offline")
      },
      { call, diary, judge in
        guard call.isAdministrative else { return }
        judge.expect(
          call.outcome != .unsent(.offline), "administration was tried without network")
      }),
  ]

  private static let launching: [KWCheck] = [
    .device(.kw110) { call, diary, judge in
      guard let token = diary.token, let shown = call.shownToken else { return }
      judge.expect(shown == token, "another token was shown than the last login gave")
    },
    .device(.kw112) { call, diary, judge in
      guard let timestamp = diary.secure.timestamp, diary.launch.requests == 0 else { return }
      let isLive = diary.launch.at - timestamp <= Session.lifetime
      if call.request == .me {
        judge.expect(isLive, "a session of \(timestamp) was taken for good")
      }
    },
    .device(
      .kw113,
      noted: { note, _, diary, judge in
        guard case .stored(let store, let change) = note, change == .expired || change == .refused
        else { return }
        judge.expect(
          store.userID == nil && !store.hasToken && store.timestamp == nil
            && store.enrolled == diary.secure.enrolled,
          "clearing the session left or took something else")
      }),
    .device(.kw114) { call, diary, judge in
      guard diary.launch.requests == 0, diary.launch.isOnline, diary.launch.at > .distantPast,
        diary.widget.wokeAt == nil, diary.run == nil, call.intended == diary.launch.at
      else { return }
      let store = diary.launch.secure
      let isLive = store.timestamp.map { diary.launch.at - $0 <= Session.lifetime } ?? false
      judge.expect(
        (call.request == .me) == (isLive && store.userID != nil),
        "a launch \(isLive ? "with" : "without") a live session began with another request")
    },
    .device(
      .kw115,
      noted: { note, _, diary, judge in
        guard diary.launch.isFresh, !diary.launch.isOnline, let at = diary.launch.secure.timestamp,
          diary.launch.at - at <= Session.lifetime, diary.launch.requests == 0
        else { return }
        if case .shows = note { judge.held() }
        if case .stored = note { judge.violated("a launch without network cleared the session") }
      }),
    .device(.kw116) { call, diary, judge in
      guard case .logIn = call.request else { return }
      judge.expect(
        diary.launch.hasList || diary.launch.accepted == true,
        "somebody logged in without having been shown the list")
    },
    .device(
      .kw117,
      noted: { note, _, diary, judge in
        switch note {
        case .launched where diary.isLoggingOut: judge.violated("a logout cleared nothing")
        case .stored(let store, .logout):
          judge.expect(
            store.userID == nil && !store.hasToken && store.timestamp == nil,
            "a logout left something")
        default: break
        }
      }),
  ]

  private static let loading: [KWCheck] = [
    .device(
      .kw078,
      noted: { note, _, diary, judge in
        guard case .opens(let opening) = note, opening.hasPicker, !diary.hasPicked else { return }
        judge.expect(
          opening.anno == Anno(2025), "the first anno was \(opening.anno.text ?? "-")")
      },
      { call, diary, judge in
        guard case .presenze(let query) = call.request else { return }
        let offered = (2020...2025).map { Anno($0) } + [Anno("Tutti")]
        judge.expect(
          offered.contains(query.anno), "the picker offers no \(query.anno.text ?? "-")")
      }),
    .device(
      .kw079,
      noted: { note, _, diary, judge in
        // What could not be loaded is not shown, and the next screen may be another one.
        guard case .shows(let screen) = note, let opening = diary.opening,
          opening.reason == .annoChosen, screen.page == opening.page
        else { return }
        let asked = diary.loading.filter { $0.annoAsked == opening.anno }.map(\.operation)
        judge.expect(
          Set(asked).count == (opening.page == .presenze ? 3 : 1),
          "another anno loaded \(asked.count) parts of the screen")
      }),
    .device(
      .kw122,
      noted: { note, _, diary, judge in
        guard case .shows(let screen) = note else { return }
        switch screen {
        case .dashboard(let view):
          judge.expect((view.staleSince == nil) == diary.isOnline, "stale, or not marked so")
        case .presenze(let view):
          judge.expect((view.staleSince == nil) == diary.isOnline, "stale, or not marked so")
        case .nothing(let page, let anno):
          judge.expect(
            diary.isOnline || !diary.hasLoaded(page, anno),
            "nothing of the \(page.rawValue) is shown, although it was loaded")
        default: break
        }
      },
      { call, diary, judge in
        // What is sent later belongs to the management, which no note announces, after a screen that failed.
        guard diary.opening?.reason == .shown, call.intended - diary.openedAt < .seconds(1),
          let last = call.request.load.flatMap({ diary.loaded[$0] })
        else { return }
        let lifetime: Span
        switch call.request {
        case .statistiche: lifetime = .seconds(300)
        case .tornate: lifetime = .seconds(600)
        default: return
        }
        judge.expect(call.intended - last >= lifetime, "what was fresh was loaded again")
      }),
    .device(.kw154) { call, diary, judge in
      guard diary.run == nil else { return }
      judge.expect(call.attempt == 1, "a screen repeated its request by itself")
    },
  ]

  private static let biometric: [KWCheck] = [
    .device(
      .kw145,
      noted: { note, _, diary, judge in
        guard case .stored(let store, .enrolled) = note, store.enrolled != nil else { return }
        judge.expect(
          diary.launch.loggedInByList && store.userID == store.enrolled,
          "somebody enrolled without a normal login")
      }),
    .device(.kw146) { call, diary, judge in
      guard diary.secure.enrolled != nil, diary.secure.userID == nil else { return }
      switch call.request {
      case .fratelli: judge.expect(diary.launch.accepted != nil, "the list came before the prompt")
      case .logIn where diary.launch.accepted == true:
        judge.expect(!diary.launch.hasList, "a biometric login loaded the list")
      default: break
      }
    },
    .device(
      .kw147,
      noted: { note, _, diary, judge in
        if case .prompted = note {
          judge.expect(diary.launch.prompts == 0, "a second prompt in one launch")
        }
      }),
    .device(.kw148) { call, diary, judge in
      guard diary.launch.accepted == true, diary.launch.requests == 0 else { return }
      if case .logIn = call.request {
        judge.held()
      } else {
        judge.violated("after the prompt the old session went on")
      }
    },
    .device(
      .kw149,
      noted: { note, _, _, judge in
        guard case .stored(let store, .logout) = note else { return }
        judge.expect(store.enrolled == nil, "a logout left the enrolment")
      }),
  ]
}

extension Kilwinning.Screen {
  /// Which page it is of.
  var page: Kilwinning.Opening.Page {
    switch self {
    case .picker: .picker
    case .dashboard: .dashboard
    case .presenze: .presenze
    case .riepilogo: .riepilogo
    case .management: .management
    case .nothing(let page, _): page
    }
  }

  /// KW-078; without network a screen is shown without being loaded.
  var hasPicker: Bool {
    switch self {
    case .presenze, .riepilogo, .nothing(.presenze, _): true
    default: false
    }
  }
}

extension Kilwinning.Opening {
  /// Whether the screen has the picker of anni (KW-078).
  var hasPicker: Bool { page == .presenze || page == .riepilogo }
}

extension Call<Kilwinning> {
  var isAdministrative: Bool {
    switch request {
    case .createTornata, .updateTornata, .deleteTornata, .exportRiepilogo, .updateFratello: true
    default: false
    }
  }

  var shownToken: String? {
    if case .bearer(let token)? = credential?.authorization { token } else { credential?.cookie }
  }

  var annoAsked: Anno? {
    switch request {
    case .presenze(let it), .statistiche(let it): it.anno
    case .riepilogo(let it): it
    case .tornate(let it): it.anno
    default: nil
    }
  }
}
