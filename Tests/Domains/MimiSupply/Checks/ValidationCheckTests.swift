import Contracts
import MimiSupplyContract
import Testing
import Timekeeping

private typealias R = SchemaRecords

@Suite struct `Checks of schema and validation` {
  private static let cases: [MarketCase] = [
    MarketCase(.ms13) {
      $0.stores("p", "Partner", R.partner)
      $0.refuses("q", "Product", R.product, with: [.name: nil])
    } fails: {
      $0.stores("p", "Partner", R.partner, with: [.name: nil])
    },
    MarketCase(.ms14) {
      $0.stores("p", "Product", R.product)
      $0.refuses("q", "Product", R.product, with: [.isAvailable: .int64(2)])
    } fails: {
      $0.stores("p", "Driver", R.driver, with: [.isOnline: .int64(2)], .update)
    },
    MarketCase(.ms15) {
      $0.stores("p", "Product", R.product)
      $0.refuses("q", "Pizza", [:])
    } fails: {
      $0.stores(
        "p", "Product", R.product, with: FieldChanges(undeclared: "colour", .string("blue")))
    },
    MarketCase(.ms16) {
      $0.stores("p", "Partner", R.partner, with: [.deliveryRadius: .double(50)])
      $0.refuses("q", "Partner", R.partner, with: [.deliveryRadius: .double(50.1)])
    } fails: {
      $0.refuses("q", "Partner", R.partner, with: [.deliveryRadius: .double(50)], in: "public")
    },
    MarketCase(.ms17) {
      $0.stores("p", "Product", R.product, with: [.priceCents: .int64(1)])
      $0.refuses("q", "Product", R.product, with: [.priceCents: .int64(0)])
    } fails: {
      $0.stores("p", "Product", R.product, with: [.priceCents: .int64(0)])
    },
    MarketCase(.ms18) {
      $0.stores("o", "Order", R.order)
      $0.refuses("q", "Order", R.order, with: [.status: .string("flying")])
    } fails: {
      $0.stores("o", "Order", R.order, with: [.totalCents: .int64(1_380)])
    },
    MarketCase(.ms19) {
      $0.stores("d", "Driver", R.driver)
      $0.refuses("e", "Driver", R.driver, .badRequest, .constraintViolation)
    } fails: {
      $0.stores("d", "Driver", R.driver)
      $0.stores("e", "Driver", R.driver)
    },
    MarketCase(.ms20) {
      $0.stores("l", "DriverLocation", R.position, with: [.heading: .double(360)])
      $0.refuses("m", "DriverLocation", R.position, with: [.heading: .double(360.5)])
    } fails: {
      $0.stores("l", "DriverLocation", R.position, .update)
    },
    MarketCase(.ms21) {
      $0.stores("c", "DeliveryCompletion", R.completion(stars: 5), .update)
      $0.refuses(
        "c", "DeliveryCompletion", R.completion(stars: 6), .badRequest, .constraintViolation,
        "rating_out_of_range", .update)
    } fails: {
      $0.stores("c", "DeliveryCompletion", R.completion(stars: 6), .update)
    },
    MarketCase(.ms22) {
      $0.stores("alice", "UserProfile", R.profile, .update)
      $0.refuses(
        "alice", "UserProfile", R.profile, with: [.role: .string("king")], .badRequest,
        .invalidArguments, nil, .update)
    } fails: {
      $0.stores("alice", "UserProfile", R.profile, with: [.role: .string("king")], .update)
    },
    MarketCase(.ms23) {
      $0.stores("o", "Order", R.order)
      $0.refuses(
        "q", "Order", R.order, with: [.items: .string("{}")], .badRequest, .invalidArguments,
        "malformed_items")
    } fails: {
      $0.refuses("q", "Order", R.order, .badRequest, .invalidArguments, "malformed_address")
    },
    MarketCase(.ms24) {
      $0.stores("p", "Partner", R.partner)
      $0.stores("q", "Product", R.product)
    } fails: {
      $0.stores("q", "Product", R.product)
    },
    MarketCase(.ms25) {
      removed(&$0)
      $0.ask(
        .query(Location(database: "public"), products),
        MarketStory.replied(.found([], continuationMarker: nil)))
    } fails: {
      removed(&$0)
      $0.look(["q"], [.saved(MarketStory.stored("q", "Product", R.product))])
    },
    MarketCase(.ms26) {
      $0.stores("q", "Product", R.product)
      $0.stores("q", "Product", R.product, .forceReplace)
      $0.refuses(
        "q", "Product", R.product, with: [.partnerId: .string("r")], .badRequest,
        .constraintViolation, "immutable_field", .forceUpdate)
    } fails: {
      $0.stores("q", "Product", R.product)
      $0.look(
        ["q"],
        [
          .saved(
            MarketStory.stored(
              "q", "Product", R.product.merging([.partnerId: .string("r")])))
        ])
    },
    MarketCase(.ms27) {
      $0.stores("q", "Product", R.product, with: [.description: .string("<b>\n\t\"")])
      $0.refuses("r", "Product", R.product, with: [.description: .string("\u{7}")])
    } fails: {
      $0.stores("q", "Product", R.product, with: [.description: .string("\u{7}")])
    },
  ]

  private static let products = Query(
    RecordQuery("Product", [Filter(.partnerId, .equals, .string("p"))]))

  private static func removed(_ story: inout MarketStory) {
    story.stores("p", "Partner", R.partner)
    story.write(
      [.init(.forceDelete, RecordDraft(name: "p"))], in: "public", [.deleted(recordName: "p")])
  }

  @Test(arguments: cases)
  func `hold on good records and say that the rule was tried`(example: MarketCase) {
    var story = MarketStory()
    example.holds(&story)
    let judge = story.judged(by: example.limit)
    #expect(judge.violations == 0, "\(judge.evidence.map(\.what))")
    #expect(judge.exercised > 0)
  }

  @Test(arguments: cases)
  func `fail on records that break their rule`(example: MarketCase) {
    var story = MarketStory()
    example.fails(&story)
    #expect(story.judged(by: example.limit).violations > 0)
  }

  @Test func `MS-13, MS-16: what the backend overwrites may be left out, but not be sent wrongly`()
  {
    var story = MarketStory()
    story.refuses(
      "p", "Partner", R.partner, with: [.rating: .double(9), .isVerified: .string("yes")],
      .conflict, .serverRecordChanged)
    #expect(story.judged(by: .ms13).violations == 0)
    for limit: MimiSupply.Rule in [.ms14, .ms16] {
      #expect(story.judged(by: limit).violations == 1)
    }
    story = MarketStory()
    story.refuses(
      "p", "Partner", R.partner, with: [.rating: nil, .isVerified: nil], .conflict,
      .serverRecordChanged)
    for limit: MimiSupply.Rule in [.ms13, .ms14, .ms16] {
      #expect(story.judged(by: limit).violations == 0)
    }
  }

  @Test func `MS-16: a range that was judged after the change tag was judged too late`() {
    var story = MarketStory()
    story.refuses(
      "p", "Partner", R.partner, with: [.latitude: .double(91)], .conflict, .serverRecordChanged,
      nil, .update)
    #expect(story.judged(by: .ms16).violations == 1)
  }

  @Test func `MS-27: text is compared byte by byte, not by its characters`() {
    var story = MarketStory()
    story.write(
      [
        .init(
          .create,
          RecordDraft(name: "q", type: "Product", fields: [.description: .string("e\u{301}")]))
      ], [.saved(MarketStory.stored("q", "Product", [.description: .string("é")]))])
    #expect(story.judged(by: .ms27).violations == 1)
  }

  @Test func `MS-24: a partner whose creation was answered later was there all the same`() {
    var story = MarketStory()
    story.stores("q", "Product", R.product)
    story.stores("p", "Partner", R.partner)
    #expect(story.judged(by: .ms24).violations == 0)
  }

  @Test func `MS-26: an order whose customer has left is another's, and says so no sooner`() {
    var story = MarketStory()
    story.stores("o", "Order", R.order)
    let anonymous = R.order.merging([.customerId: .string("deleted-1")])
    story.look(["o"], as: "olga", [.saved(MarketStory.stored("o", "Order", anonymous))])
    #expect(story.judged(by: .ms26).violations == 1)
    story.ask(.deleteAccount, MarketStory.replied(.done))
    #expect(story.judged(by: .ms26).violations == 0)
  }
}

@Suite struct `The schema of section 2` {
  @Test func `MS-13, MS-15: names 96 fields in seven types, of which 65 are required`() {
    let types = Array(RecordSchema.types.prefix(7))
    let counts = types.map { RecordSchema.of($0)!.fields.count }
    #expect(
      types == [
        "Partner", "Product", "UserProfile", "Order", "Driver", "DriverLocation",
        "DeliveryCompletion",
      ])
    #expect(counts == [23, 16, 10, 19, 14, 7, 7])
    let required = types.flatMap { RecordSchema.of($0)!.fields.filter(\.isRequired) }
    #expect(required.count == 65)
    #expect(RecordSchema.of("Pizza") == nil)
  }
}
