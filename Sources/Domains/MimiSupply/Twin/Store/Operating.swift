import Contracts
import MimiSupplyContract
import Timekeeping

// Commands of the operator, the environment and the harness (§11).
extension MimiSupplyTwin {
  mutating func operate(_ request: MimiSupply.Request, at now: Instant) -> Answer {
    switch request {
    case .inspect(let types, let since):
      return .success(.shown(inspection(of: types, since: since, at: now)))
    case .control(let control): return operate(control, at: now)
    default: return .failure(.invalid("this is no command"))
    }
  }

  private mutating func operate(_ control: Control, at now: Instant) -> Answer {
    switch control {
    case .load(let fixture): return load(fixture, at: now)
    case .loadSampleWorld: return load(SampleWorld.fixture, at: now)
    case .configure(let adjustment): configure(adjustment, at: now)
    case .setRule(let id, let binds):
      rules.set(id, binds: binds)
      market.rules = rules
    case .setApiTokens(let known): accounts.apiTokens = known.map(Set.init)
    case .setConsent(let user, let kind, let granted):
      guard let consent = Consent(rawValue: kind) else {
        return .failure(
          .invalid(
            "setConsent: 'kind' is one of \(MimiSupply.consentKinds.joined(separator: ", "))"))
      }
      if let failure = strangeness(of: user, "setConsent") { return .failure(failure) }
      market.setConsent(consent, of: user, granted: granted)
    case .setRiskScore(let user, let score):
      if let failure = strangeness(of: user, "setRiskScore") { return .failure(failure) }
      setRisk(score, of: user, at: now)
    case .injectFault(let fault):
      if let problem = fault.selection.emptiness(at: now) {
        return .failure(.invalid("injectFault: \(problem)"))
      }
      faults.add(fault, at: now)
    case .endFaults: faults.clear()
    case .setPayment(let order, let isRefused):
      guard let order else {
        refusesPayments = isRefused
        break
      }
      if isRefused {
        market.refusedPayments.insert(order)
      } else {
        market.refusedPayments.remove(order)
      }
    case .delivered(let token, let notification):
      if pushQueues.delivered(notification, to: token) { counters.notificationsFetched += 1 }
    case .outbox: return .success(.shown(outbox))
    case .audit(let user): return .success(.shown(auditDocument(of: user)))
    case .counters: return .success(.shown(.object(countersDocument)))
    case .commitLog(let kept): return .success(.shown(commitLogDocument(kept: kept)))
    }
    return .success(.done)
  }

  /// Why a command about somebody means nobody.
  private func strangeness(of user: UserName, _ command: String) -> Failure? {
    guard shelf.record(user.profile, publicly: false)?.type != .userProfile else { return nil }
    return .invalid(
      "\(command): 'user' is '\(printable(user.text))', and there is no such user; it is the record name of a profile"
    )
  }

  /// MS-117.
  private mutating func setRisk(_ score: Double, of user: UserName, at now: Instant) {
    accounts.risk[user] = score
    guard score > settings.riskThreshold, rules.binds(.ms117) else {
      accounts.locked.remove(user)
      return
    }
    guard accounts.locked.insert(user).inserted else { return }
    audit.add(
      .suspicion, user: user, .score(score), csn: csn, at: now)
  }
}

extension MimiSupply.Request {
  /// Whether it is a command that sets a scene. Scenes are set in several commands: what follows from them waits until
  /// somebody looks.
  var prepares: Bool {
    guard case .control(let control) = self else { return false }
    switch control {
    case .outbox, .audit, .counters, .commitLog: return false
    default: return true
    }
  }
}
