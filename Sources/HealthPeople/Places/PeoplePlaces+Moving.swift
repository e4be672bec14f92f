extension PeoplePlaces {
    /// What became of a move.
    package enum MoveOutcome: Hashable, Sendable {
        case moved(MoveSize)
        /// The person is still where an interrupted move had begun.
        case abandoned
    }

    /// Moves a person to another place, with the log, the receipts, the tokens and the lines of the
    /// log of accesses. Keys stay in their database.
    ///
    /// The log is frozen, copied and compared. Then, in one transaction at home, the person is
    /// placed there, and the rows at the earlier place are removed. A repeated call finishes an
    /// interrupted move. A call with the place where the person is abandons it.
    ///
    /// - Throws: ``PeopleError/samePlace(_:)``, ``PeopleError/unknownPlace(_:)``,
    ///   ``PeopleError/unknownPerson``, ``PeopleError/damagedLog``, ``PeopleError/otherMove``,
    ///   ``PeopleError/placeFailed(_:_:)``, ``SQLError``.
    package func move(
        _ person: String, to place: String, at now: Double
    ) throws -> MoveOutcome {
        if place != PeoplePlaces.home { _ = try directory.place(named: place) }
        if let pending = try directory.takeOver(of: person) {
            if pending.isSwitched {
                try complete(pending)
                if pending.target == place { return .moved(MoveSize()) }
            } else {
                try abandon(pending)
                if pending.source == place { return .abandoned }
            }
        }
        let pending = try directory.begin(person, to: place)
        guard pending.source != place else {
            // An earlier version doesn't list moves.
            let wasFrozen = try thawSource(of: pending)
            try directory.end(pending)
            if wasFrozen { return .abandoned }
            throw PeopleError.samePlace(place)
        }
        return .moved(try perform(pending, at: now))
    }

    /// Moves a person to people who aren't at a place of this server, and erases the person here.
    ///
    /// A repeated call finishes an interrupted move.
    ///
    /// - Throws: ``PeopleError/sharedPlaces`` if the database is one of this server, or the person
    ///   was there before; as ``move(_:to:at:)``.
    package func move(_ person: String, out other: People, at now: Double) throws -> MoveOutcome {
        let identifier = try LogSchema.identifier(of: other.log.database)
        let own = try directory.places().map(\.identifier)
        guard try identifier != LogSchema.identifier(of: home.log.database),
            !own.contains(identifier)
        else { throw PeopleError.sharedPlaces }
        if let pending = try directory.takeOver(of: person) {
            if pending.isSwitched {
                try complete(pending)
            } else if pending.target.isEmpty, try endMoveOut(pending, to: other) {
                return .moved(MoveSize())
            } else {
                try abandon(pending)
            }
        }
        guard try people(of: person).log.head(of: person) != nil else {
            throw PeopleError.unknownPerson
        }
        let pending = try directory.begin(person, to: "")
        let source = try people(at: pending.source)
        let move = PersonMove(person, from: source, to: other, number: pending.number)
        do {
            let size = try source.moveOut(move, at: now)
            try directory.end(pending)
            return .moved(size)
        } catch {
            if (try? source.log.head(of: person)) != nil { try? directory.end(pending) }
            throw error
        }
    }

    private func endMoveOut(_ pending: PendingMove, to other: People) throws -> Bool {
        let source = try people(at: pending.source)
        let move = PersonMove(pending.person, from: source, to: other, number: pending.number)
        guard try source.endMoveOut(move) else { return false }
        try directory.end(pending)
        return true
    }

    // MARK: - Steps

    private func perform(_ pending: PendingMove, at now: Double) throws -> MoveSize {
        let move: PersonMove
        do { move = try personMove(pending) } catch {
            try? directory.end(pending)
            throw error
        }
        let size: MoveSize
        do {
            let head = try naming(pending.source) { try move.freeze() }
            size = try move.copy(upTo: head)
            let tokens = try move.finishCopy(upTo: head)
            try directory.finish(pending, tokens: tokens, at: now)
        } catch {
            // Unless the person is at the target, also by a commit whose answer was lost.
            if let abandoned = try? directory.abandon(pending) {
                try? move.discardCopy()
                if (try? move.thawSource()) != nil { try? directory.end(abandoned) }
            }
            throw error
        }
        try complete(pending)
        return size
    }

    private func personMove(_ pending: PendingMove) throws -> PersonMove {
        PersonMove(
            pending.person, from: try naming(pending.source) { try people(at: pending.source) },
            to: try naming(pending.target) { try people(at: pending.target) },
            number: pending.number)
    }

    /// Ends a move of a person who is at the target.
    private func complete(_ pending: PendingMove) throws {
        let move = try personMove(pending)
        _ = try naming(pending.target) { try move.thawTarget() }
        try naming(pending.source) { try move.removeSource() }
        try directory.end(pending)
    }

    /// Undoes a move that was interrupted before the person was placed elsewhere.
    private func abandon(_ pending: PendingMove) throws {
        // A place that can't be reached keeps a copy that nobody sees.
        if !pending.target.isEmpty { try? personMove(pending).discardCopy() }
        _ = try thawSource(of: pending)
        try directory.end(pending)
    }

    private func thawSource(of pending: PendingMove) throws -> Bool {
        try naming(pending.source) {
            let source = try people(at: pending.source)
            return try PersonMove(
                pending.person, from: source, to: source, number: pending.number
            ).thawSource()
        }
    }
}
