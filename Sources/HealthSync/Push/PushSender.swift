import Foundation

/// A destination of a watcher that sends each batch to a server, one page at a time.
///
/// The server stores a page and the cursor after it in one transaction. The position here is
/// stored once the server has confirmed the page. If the answer is lost, the server's cursor tells
/// later what arrived, so each page is stored exactly once.
final class PushSender: TransactionalDestination {
    /// The first limits of a page. The server can ask for smaller ones (413).
    struct Limits {
        var lines = 2000
        var bytes = 4 << 20
    }

    let journal: PushJournal
    let encoder: PushEncoder
    let state = PushStateBox()
    /// Whether a first run reads all existing samples, so that the end of it can be declared.
    private let isWhole: Bool
    let timeZone: TimeZone?
    let target: LockedValue<PushTarget>
    let transport: PushTransport
    let now: @Sendable () -> Date
    let random: @Sendable () -> Double
    let backoff = LockedValue(PushBackoff())
    private let limits = LockedValue(Limits())
    /// Only one page is on its way at a time: pages of other types wait.
    let permit = AsyncSemaphore(1)
    /// The types of which the server's cursor was compared with the journal's.
    private let compared = LockedValue<Set<PositionKey>>([])

    init(
        _ target: PushTarget, _ journal: PushJournal, _ encoder: PushEncoder,
        isWhole: Bool, timeZone: TimeZone?, transport: @escaping PushTransport,
        now: @escaping @Sendable () -> Date, random: @escaping @Sendable () -> Double
    ) {
        self.target = LockedValue(target)
        self.journal = journal
        self.encoder = encoder
        self.isWhole = isWhole
        self.timeZone = timeZone
        self.transport = transport
        self.now = now
        self.random = random
    }

    /// Allows sending again, with another target.
    func resume(with new: PushTarget) {
        target { $0 = new }
        compared { $0 = [] }
        backoff { $0 = PushBackoff() }
        state.update {
            $0.activity = .idle
            $0.lastError = nil
        }
    }

    // MARK: - Destination

    func receive(_ batch: ChangeBatch) async throws {
        try await permit.withPermit {
            try await send(batch.key, from: batch.from, to: batch.to) {
                try await encoder.encode(batch)
            }
        }
    }

    func position(for key: PositionKey) async throws -> SyncPosition? {
        try await permit.withPermit { try await compareCursor(key) }
        return try await journal.file.position(for: key)
    }

    /// Asks once, before a type is read, whether the server has the last page that it confirmed. It
    /// may have been replaced or restored from a backup, and without changes here no page would
    /// find that out.
    private func compareCursor(_ key: PositionKey) async throws {
        if compared({ $0.contains(key) }) { return }
        guard let cursor = try await journal.confirmedCursor(key) else {
            // The first page finds out.
            _ = compared { $0.insert(key) }
            return
        }
        try requirePermission()
        let header = PushHeader(
            stream: stream(of: key), from: cursor, to: cursor, complete: nil,
            timeZone: timeZone?.identifier)
        switch try await post(header, []) {
        case .confirmed: break
        case .conflict(let stored):
            try await journal.goBack(to: stored, key)
            state.update { $0.corrections += 1 }
        case .tooLarge: throw fail(.refused(status: 413), nil)
        }
        _ = compared { $0.insert(key) }
    }

    private func stream(of key: PositionKey) -> String {
        journal.stream + "/" + key.type + (key.filter.isEmpty ? "" : "/") + key.filter
    }

    /// Stores a position without a batch. At the end of a first run, a page without records tells
    /// the server that the type is complete. Without any sample that isn't known: HealthKit shows
    /// none of a type that the app may not read.
    func setPosition(
        _ position: SyncPosition, for key: PositionKey, expecting expected: SyncPosition?
    ) async throws {
        guard completeType(key, expected, position) != nil, try await journal.hasPages(key) else {
            return try await journal.file.setPosition(position, for: key, expecting: expected)
        }
        try await permit.withPermit {
            try await send(key, from: expected, to: position) { PushEncoder.Encoded() }
        }
    }

    func removePositions(_ keys: Set<PositionKey>) async throws { try await journal.remove(keys) }

    func positionKeys() async throws -> Set<PositionKey> { try await journal.file.positionKeys() }

    private func completeType(
        _ key: PositionKey, _ from: SyncPosition?, _ to: SyncPosition
    ) -> String? {
        guard isWhole, key.filter.isEmpty, case .history? = from?.phase, to.phase == .changes else {
            return nil
        }
        return key.type
    }
}

// MARK: - Pages

extension PushSender {
    /// Sends the records of a batch as one page or, if they are more than a page can have, as
    /// several. The position moves with the last one.
    private func send(
        _ key: PositionKey, from: SyncPosition?, to: SyncPosition,
        _ encode: () async throws -> PushEncoder.Encoded
    ) async throws {
        try requirePermission()
        guard try await journal.file.position(for: key) == from else {
            throw SyncError.positionMoved
        }
        var encoded = try await encode()
        var rest = encoded.groups[...]
        var isConfirmed = false
        while !isConfirmed {
            let page = page(of: rest)
            let isLast = page.count == rest.count
            let reached = isLast ? to : from ?? to
            let mark = try await journal.begin(key, reaching: reached, suffix: suffix())
            let header = PushHeader(
                stream: stream(of: key), from: mark.from, to: mark.to,
                complete: isLast ? completeType(key, from, to) : nil,
                timeZone: timeZone?.identifier)
            switch try await post(header, page) {
            case .confirmed(let receipt):
                try await confirm(mark, key, from: from, to: reached)
                state.update { $0.add(receipt, at: now()) }
                rest = rest.dropFirst(page.count)
                isConfirmed = isLast
            case .conflict(let cursor):
                try await journal.goBack(to: cursor, key)
                state.update { $0.corrections += 1 }
                throw SyncError.positionMoved
            case .tooLarge:
                guard let first = page.first else { throw fail(.refused(status: 413), nil) }
                if page.count > 1 {
                    halve(page)
                } else {
                    encoded.unsent[first.type, default: 0] += 1
                    rest = rest.dropFirst()
                }
            }
        }
        state.update {
            $0.incomplete.merge(encoded.incomplete, uniquingKeysWith: +)
            $0.unsent.merge(encoded.unsent, uniquingKeysWith: +)
        }
    }

    func requirePermission() throws {
        let (date, lastError) = (now(), state.current.lastError)
        try backoff { try $0.requirePermission(at: date, lastError) }
    }

    /// Stores that the server has a page, even on cancellation.
    private func confirm(
        _ mark: PushJournal.Mark, _ key: PositionKey, from: SyncPosition?, to: SyncPosition
    ) async throws {
        let journal = journal
        let update = Task { try await journal.confirm(mark, key, from: from, to: to) }
        try await update.value
    }

    /// Limits pages to half of one that was too large.
    private func halve(_ page: ArraySlice<PushEncoder.Group>) {
        let lines = page.reduce(0) { $0 + $1.lines.count }
        let bytes = page.reduce(0) { $0 + $1.byteCount }
        limits {
            $0.lines = max(1, min($0.lines, lines) / 2)
            $0.bytes = max(1, min($0.bytes, bytes) / 2)
        }
    }

    /// The random part of a cursor.
    func suffix() -> String {
        let number = (random() * Double(UInt32.max)).rounded()
        return String(UInt32(exactly: number) ?? 0, radix: 16)
    }

    /// Returns as many groups as a page can have; at least one, if there are any.
    private func page(
        of groups: ArraySlice<PushEncoder.Group>
    ) -> ArraySlice<PushEncoder.Group> {
        let limits = limits { $0 }
        var (lines, bytes) = (0, 0)
        let end = groups.firstIndex { group in
            lines += group.lines.count
            bytes += group.byteCount
            return lines > limits.lines || bytes > limits.bytes
        }
        guard let end else { return groups }
        return groups[..<max(end, groups.startIndex + 1)]
    }
}
