import Foundation
import HealthKit
import Testing

/// Prescriptions, and the permission to read single ones, with code in the manner of apps.
@Suite struct GlassesWalletTests {
    private let day = Date(timeIntervalSinceReferenceDate: 7e8)
    private let fixture: ClientFixture
    private let choice = Choice()
    /// The app under test, which reads, and an optician's app, which saves.
    private let reader: GlassesWallet
    private let optician: GlassesWallet

    /// The prescriptions that the person chooses at the next request.
    private final class Choice: @unchecked Sendable {
        private let lock = NSLock()
        private var chosen: Set<UUID> = []
        private var prompts: [Int] = []

        var next: Set<UUID> {
            get { lock.withLock { chosen } }
            set { lock.withLock { chosen = newValue } }
        }
        /// The number of objects in each prompt.
        var counts: [Int] { lock.withLock { prompts } }

        func answer(_ prompt: ObjectAuthorizationPrompt) -> Set<UUID> {
            lock.withLock {
                prompts.append(prompt.candidates.count)
                return chosen
            }
        }
    }

    init() throws {
        fixture = try ClientFixture(
            authorization: .grant.choosingObjects { [choice] in choice.answer($0) })
        reader = GlassesWallet(healthStore: fixture.store)
        optician = GlassesWallet(
            healthStore: fixture.store.withIdentity(
                AppIdentity("com.example.optician", name: "Optician")))
    }

    @Test("a prescription for glasses is saved and read with its lenses and prism")
    func glasses() async throws {
        try await optician.authorizeSaving()
        let expiry = day.addingTimeInterval(63_072_000)
        let sample = try await optician.saveGlasses(issued: day, expires: expiry)
        let saved = try #require(try await optician.all().first as? HKGlassesPrescription)
        #expect(saved.uuid == sample.uuid)
        #expect(saved.prescriptionType == .glasses)
        #expect(saved.dateIssued == day && saved.expirationDate == expiry)
        #expect(optician.title(saved.rightEye, "R") == "R -2.25 -0.75 x170")
        #expect(optician.title(saved.leftEye, "L") == "L -1.75")
        #expect(saved.rightEye?.addPower?.doubleValue(for: .diopter()) == 1.5)
        #expect(
            saved.rightEye?.farPupillaryDistance?.doubleValue(for: .meterUnit(with: .milli))
                == 31.5)
        let prism = try #require(saved.rightEye?.prism)
        #expect(prism.eye == .right)
        #expect(prism.verticalBase == .up && prism.horizontalBase == .in)
        #expect(prism.amount.doubleValue(for: .prismDiopter()) == 5)
        #expect(saved.leftEye?.prism == nil)
        let text = saved.metadata?[HKMetadataKeyGlassesPrescriptionDescription] as? String
        #expect(text == "Reading")
    }

    @Test("a prescription for contact lenses has a brand, a base curve and a diameter")
    func contacts() async throws {
        try await optician.authorizeSaving()
        try await optician.saveContacts(brand: "Clear", issued: day)
        let saved = try #require(try await optician.all().first as? HKContactsPrescription)
        #expect(saved.prescriptionType == .contacts && saved.brand == "Clear")
        #expect(saved.expirationDate == nil && saved.leftEye == nil)
        let millimeter = HKUnit.meterUnit(with: .milli)
        #expect(saved.rightEye?.baseCurve?.doubleValue(for: millimeter) == 8.6)
        #expect(saved.rightEye?.diameter?.doubleValue(for: millimeter) == 14.2)
    }

    @Test("prescriptions can't be requested as a type, and are an error before any request")
    func request() async throws {
        for reading in [true, false] {
            let error = await #expect(throws: HKError.self) {
                if reading {
                    try await fixture.store.requestAuthorization(toShare: [], read: [reader.type])
                } else {
                    _ = try await reader.all()
                }
            }
            #expect(
                error?.code == (reading ? .errorInvalidArgument : .errorAuthorizationNotDetermined))
        }
    }

    @Test("each request shows the matching prescriptions, and only chosen ones are visible")
    func chosen() async throws {
        try await optician.authorizeSaving()
        let first = try await optician.saveGlasses(issued: day, expires: nil)
        let second = try await optician.saveGlasses(
            issued: day.addingTimeInterval(86_400), expires: nil)
        choice.next = [first.uuid]
        try await reader.chooseOthers()
        #expect(try await reader.all().map(\.uuid) == [first.uuid])
        #expect(try await reader.sources() == ["Optician"])
        let later = HKQuery.predicateForSamples(
            withStart: day.addingTimeInterval(1), end: nil, options: [])
        choice.next = [second.uuid]
        try await reader.chooseOthers(matching: later)
        #expect(choice.counts == [2, 1])
        // The first one was not part of the second question.
        #expect(try await reader.all().map(\.uuid) == [first.uuid, second.uuid])
        choice.next = []
        try await reader.chooseOthers()
        #expect(try await reader.all().isEmpty)
        #expect(try await reader.sources().isEmpty)
    }

    @Test("a prescription chosen later arrives behind an older anchor, and its deletion too")
    func anchors() async throws {
        try await optician.authorizeSaving()
        let first = try await optician.saveGlasses(issued: day, expires: nil)
        let hidden = try await optician.saveGlasses(issued: day, expires: nil)
        try await reader.chooseOthers()
        let empty = try await reader.new(since: nil)
        #expect(empty.addedSamples.isEmpty)
        choice.next = [first.uuid]
        try await reader.chooseOthers()
        let found = try await reader.new(since: empty.newAnchor)
        #expect(found.addedSamples.map(\.uuid) == [first.uuid])
        #expect(try await reader.new(since: found.newAnchor).addedSamples.isEmpty)
        try await optician.delete(hidden)
        try await optician.delete(first)
        let end = try await reader.new(since: found.newAnchor)
        #expect(end.deletedObjects.map(\.uuid) == [first.uuid])
    }
}
