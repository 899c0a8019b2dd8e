import Testing
import Timekeeping

/// Values of elementary functions to 1,400 bits, rounded once: computed with mpmath 1.3.
struct ReferenceFunction: Sendable, CustomTestStringConvertible {
  let name: String
  let own: @Sendable (Double) -> Double
  let values: [(x: Double, y: Double)]

  var testDescription: String { name }

  init(_ name: String, _ own: @escaping @Sendable (Double) -> Double, _ values: [(Double, Double)])
  {
    self.name = name
    self.own = own
    self.values = values.map { (x: $0.0, y: $0.1) }
  }

  static let all: [ReferenceFunction] = [
    .init(
      "log", Elementary.log,
      [
        (0x1p-1074, -0x1.74385446d71c3p+9),
        (0x1.2688b70e62bp-1000 * 0x1p-30, -0x1.64e69394d9508p+9),
        (0x1.0000000000000p-1022, -0x1.6232bdd7abcd2p+9),
        (0x1.4f8b588e368f1p-17, -0x1.7069e2aa2aa5bp+3),
        (0x1.0000000000000p-1, -0x1.62e42fefa39efp-1),
        (0x1.6a09e667f3bccp-1, -0x1.62e42fefa39f1p-2),
        (0x1.fffffffffffffp-1, -0x1.0000000000000p-53),
        (0x1.0000000000001p+0, 0x1.fffffffffffffp-53),
        (0x1.8000000000000p+0, 0x1.9f323ecbf984cp-2),
        (0x1.5bf0a8b145769p+1, 0x1.0000000000000p+0),
        (0x1.4000000000000p+3, 0x1.26bb1bbb55516p+1),
        (0x1.7e43c8800759cp+996, 0x1.5963447f87fb5p+9),
        (0x1.fffffffffffffp+1023, 0x1.62e42fefa39efp+9),
      ]),
    .init(
      "exp", Elementary.exp,
      [
        (-0x1.748cccccccccdp+9, 0x1p-1074),
        (-0x1.7400000000000p+9, 0x1p-1073),
        (-0x1.6800000000000p+9, 0x1.32769b92ap-1000 * 0x1p-39),
        (-0x1.6240000000000p+9, 0x1.cd9eda1112f58p-1023),
        (-0x1.4800000000000p+4, 0x1.57a3afeed00abp-30),
        (-0x1.0000000000000p+0, 0x1.78b56362cef38p-2),
        (-0x1.b7cdfd9d7bdbbp-34, 0x1.ffffffff24190p-1),
        (0x1.70ef54646d497p-57, 0x1.0000000000000p+0),
        (0x1.0000000000000p-1, 0x1.a61298e1e069cp+0),
        (0x1.0000000000000p+0, 0x1.5bf0a8b145769p+1),
        (0x1.a000000000000p+1, 0x1.9ca53b781114bp+4),
        (0x1.9000000000000p+6, 0x1.3494a9b171bf5p+144),
        (0x1.62e3d70a3d70ap+9, 0x1.fe9ce5c4c52b4p+1023),
      ]),
    .init(
      "sin", Elementary.sin,
      [
        (0x1p-1074, 0x1p-1074),
        (0x1.12e0be826d695p-30, 0x1.12e0be826d695p-30),
        (0x1.0000000000000p-1, 0x1.eaee8744b05f0p-2),
        (0x1.921fb54442d18p-1, 0x1.6a09e667f3bccp-1),
        (0x1.921fb54442d18p+0, 0x1.0000000000000p+0),
        (0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53),
        (-0x1.9000000000000p+6, 0x1.03425b78c4db8p-1),
        (0x1.6300000000000p+8, -0x1.f9bd0307d1de3p-16),
        (0x1.81cd6c8b43958p+13, -0x1.687d5890974a5p-1),
        (0x1.e848000000000p+19, -0x1.6664b2568d867p-2),
        (0x1.2a05f20000000p+33, -0x1.f334c7896a4e3p-2),
        (0x1.0f0cf064dd592p+73, -0x1.b453ab76bf397p-1),
        (0x1.fffffffffffffp+1023, 0x1.452fc98b34e97p-8),
        (0x1.6ac5b262ca1ffp+849, 0x1.0000000000000p+0),
      ]),
    .init(
      "cos", Elementary.cos,
      [
        (0x1p-1074, 0x1.0000000000000p+0),
        (0x1.12e0be826d695p-30, 0x1.0000000000000p+0),
        (0x1.0000000000000p-1, 0x1.c1528065b7d50p-1),
        (0x1.921fb54442d18p-1, 0x1.6a09e667f3bcdp-1),
        (0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54),
        (0x1.921fb54442d18p+1, -0x1.0000000000000p+0),
        (-0x1.9000000000000p+6, 0x1.b981dbf665fdfp-1),
        (0x1.6300000000000p+8, -0x1.fffffffc18e4cp-1),
        (0x1.81cd6c8b43958p+13, 0x1.6b94c3bbe24b8p-1),
        (0x1.e848000000000p+19, 0x1.df9df9906d32cp-1),
        (0x1.2a05f20000000p+33, 0x1.bf098901c931ap-1),
        (0x1.0f0cf064dd592p+73, 0x1.0be2cef01c8f4p-1),
        (0x1.fffffffffffffp+1023, -0x1.fffe62ecfab75p-1),
        (0x1.6ac5b262ca1ffp+849, -0x1.14ae72e6ba22fp-61),
      ]),
    .init(
      "log1p", Elementary.log1p,
      [
        (0x1p-1074, 0x1p-1074),
        (0x1.79ca10c924223p-67, 0x1.79ca10c924223p-67),
        (0x1.5798ee2308c3ap-27, 0x1.5798ee0636111p-27),
        (-0x1.5798ee2308c3ap-27, -0x1.5798ee3fdb764p-27),
        (-0x1.0000000000000p-2, -0x1.269621134db92p-2),
        (-0x1.0000000000000p-1, -0x1.62e42fefa39efp-1),
        (-0x1.fffffffffffffp-1, -0x1.25e4f7b2737fap+5),
        (0x1.8000000000000p-2, 0x1.4618bc21c5ec2p-2),
        (0x1.0000000000000p+0, 0x1.62e42fefa39efp-1),
        (0x1.2a05f20000000p+33, 0x1.7069e2aa3184ep+4),
        (0x1.7e43c8800759cp+996, 0x1.5963447f87fb5p+9),
      ]),
  ]
}
