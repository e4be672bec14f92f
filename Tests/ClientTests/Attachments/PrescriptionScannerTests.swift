import Foundation
import HealthKit
import HealthTesting
import Testing

/// Attachments, with code in the manner of apps.
@MainActor
@Suite struct PrescriptionScannerTests {
    private let fixture: ClientFixture
    private let scanner: PrescriptionScanner
    private let folder: TemporaryFolder

    init() throws {
        fixture = try ClientFixture()
        scanner = PrescriptionScanner(healthStore: fixture.store)
        folder = try TemporaryFolder()
    }

    private func file(_ name: String, _ bytes: [UInt8]) throws -> URL {
        URL(fileURLWithPath: try folder.write(name, bytes))
    }

    private func savedSample() async throws -> HKSample {
        let type = HKQuantityType(.bodyMass)
        try await fixture.authorize(share: [type], read: [type])
        let sample = HKQuantitySample(
            type: type, quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: 70),
            start: fixture.midnight, end: fixture.midnight)
        try await fixture.store.save(sample)
        return sample
    }

    @Test("a scan and a photo are listed with their titles and types, and shown later")
    func scanAndPhoto() async throws {
        let sample = try await savedSample()
        let pdf = Array("%PDF-1.7\n".utf8) + [UInt8](repeating: 7, count: 300_000)
        try await scanner.attach(file("scan.pdf", pdf), titled: "Prescription 2026", to: sample)
        try await scanner.attach(file("photo.jpg", [0xFF, 0xD8, 0xFF]), titled: "Card", to: sample)
        #expect(scanner.pages.map(\.title) == ["Prescription 2026", "Card"])
        #expect(scanner.pages.map(\.isImage) == [false, true])
        #expect(scanner.pages.map(\.byteCount) == [pdf.count, 3])
        let first = try #require(scanner.pages.first)
        #expect(try await scanner.contents(of: first) == Data(pdf))
        #expect(try await scanner.signature(of: first, count: 4) == Array("%PDF".utf8))
        // Another launch of the app reads them through the sample that a query returns.
        let found = try #require(
            try await HKSampleQueryDescriptor(
                predicates: [.quantitySample(type: HKQuantityType(.bodyMass))],
                sortDescriptors: []
            ).result(for: fixture.store).first)
        let later = PrescriptionScanner(healthStore: fixture.store)
        try await later.load(for: found)
        #expect(later.pages.map(\.id) == scanner.pages.map(\.id))
    }

    @Test("a preview is written in pieces, with progress to the end")
    func preview() async throws {
        let sample = try await savedSample()
        let bytes = (0..<700_000).map { UInt8(truncatingIfNeeded: $0 / 7) }
        try await scanner.attach(file("scan.pdf", bytes), titled: "Scan", to: sample)
        let page = try #require(scanner.pages.first)
        let progress = Box()
        let url: URL = try await withCheckedThrowingContinuation { continuation in
            progress.value = scanner.preview(page, in: URL(fileURLWithPath: folder.path)) {
                url, error in
                if let error { continuation.resume(throwing: error) }
                if let url { continuation.resume(returning: url) }
            }
        }
        #expect(url.pathExtension == "pdf")
        #expect(try Data(contentsOf: url) == Data(bytes))
        #expect(progress.value?.fractionCompleted == 1)
    }

    @Test("a removed page is gone, and other files are refused")
    func removal() async throws {
        let sample = try await savedSample()
        try await scanner.attach(file("scan.pdf", [1]), titled: "Scan", to: sample)
        let page = try #require(scanner.pages.first)
        try await scanner.delete(page, from: sample)
        #expect(scanner.pages.isEmpty)
        let notes = try file("notes.txt", [65])
        await #expect(throws: PrescriptionScanner.ScanError.unsupportedFile) {
            try await scanner.attach(notes, titled: "Notes", to: sample)
        }
    }

    @MainActor private final class Box {
        var value: Progress?
    }
}
