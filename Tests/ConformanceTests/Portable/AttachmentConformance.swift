import Testing

#if canImport(Darwin)
    import UniformTypeIdentifiers
#endif

/// §10.12: files that are attached to objects.
@Suite(.reported) struct AttachmentConformance {
    /// Runs a test with a saved sample and a file.
    private func withFile(
        _ bytes: [UInt8], _ body: (HKQuantitySample, HKAttachmentStore, URL) async throws -> Void
    ) async throws {
        try await TestDays.with { days in
            let sample = weight(70, days.at(1))
            try await days.store.save(sample)
            let url = FileManager.default.temporaryDirectory
                .appendingPathComponent(UUID().uuidString + ".pdf")
            try Data(bytes).write(to: url)
            let attachments = HKAttachmentStore(healthStore: days.store)
            do {
                try await body(sample, attachments, url)
            } catch {
                try? FileManager.default.removeItem(at: url)
                throw error
            }
            try? FileManager.default.removeItem(at: url)
        }
    }

    @Test(
        "§10.12 an attachment is a copy of its file, and is read back",
        .covers(
            "HKAttachmentStore.addAttachment(to:name:contentType:url:metadata:)",
            "HKAttachmentStore.attachments(for:)", "HKAttachmentStore.dataReader(for:)"))
    func copied() async throws {
        let bytes = (0..<600_000).map { UInt8(truncatingIfNeeded: $0 / 3) }
        try await withFile(bytes) { sample, attachments, url in
            let added = try await attachments.addAttachment(
                to: sample, name: "Scan", contentType: .pdf, url: url)
            try Data([1]).write(to: url)
            let found = try await attachments.attachments(for: sample)
            #expect(found.map(\.identifier) == [added.identifier])
            #expect(found.first?.name == "Scan" && found.first?.contentType == .pdf)
            #expect(found.first?.size == bytes.count)
            #expect(try await attachments.dataReader(for: added).data == Data(bytes))
        }
    }

    @Test(
        "§10.12 a removed attachment is not found any more",
        .covers("HKAttachmentStore.removeAttachment(_:from:)"))
    func removed() async throws {
        try await withFile([1, 2]) { sample, attachments, url in
            let added = try await attachments.addAttachment(
                to: sample, name: "Scan", contentType: .pdf, url: url)
            try await attachments.removeAttachment(added, from: sample)
            #expect(try await attachments.attachments(for: sample).isEmpty)
        }
    }
}
