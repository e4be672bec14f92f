#if People
    import Foundation
    import HealthEngine
    import HealthIntake
    import HealthPeople
    import HealthStorage

    /// Takes what devices send into the stores of many people. A device's token says whose it is.
    ///
    /// A request is one change of the person's log, with its receipt.
    struct PeopleDestination<Companion: Sendable>: IntakeDestination {
        let places: PeoplePlaces
        let cache: StoreCache<Companion>
        let bodyPath: String
        let bodyReading = BodyReading.whenStored
        let metrics: PeopleMetrics

        // MARK: - Devices

        func device(forTokens tokens: [String]) async throws -> SendingDevice? {
            for text in tokens {
                guard let bearer = try await bearer(of: text) else { continue }
                let token = bearer.token
                return SendingDevice(
                    person: token.person, token: token.identifier,
                    device: ReceivingDevice(name: token.name, createdAt: token.createdAt))
            }
            return nil
        }

        /// Returns the bearer of a device's token.
        ///
        /// - Throws: ``IntakeRefusal/suspended``, with which apps keep their data.
        private func bearer(of text: String) async throws -> TokenBearer? {
            do {
                return try await places.bearer(ofToken: text, .device)
            } catch PeopleError.suspended { throw IntakeRefusal.suspended }
        }

        func knows(_ tokens: [String]) async throws -> Bool {
            for text in tokens {
                for kind in [PersonToken.Kind.device, .reading] {
                    if try await places.bearer(ofToken: text, kind) != nil { return true }
                }
            }
            return false
        }

        func note(_ contact: ReceivingDevice.Contact, of sender: SendingDevice) async {
            guard let person = sender.person else { return }
            metrics.count(.refusedPushes)
            // A list of devices is no reason to fail.
            try? await places.note(DeviceContact(contact, of: sender.name), of: person)
        }

        // MARK: - Requests

        func settled(
            _ delivery: Receiver.Delivery, _ ahead: ReadAhead?
        ) async throws -> SettledDelivery {
            guard let person = delivery.device.person else { throw IntakeRefusal.badToken }
            let request = delivery.idempotencyKey.map { key in
                PersonChange.Request(
                    device: delivery.device.name, key: "\(delivery.dialect.rawValue) \(key)",
                    bodyHash: delivery.bodyDigest)
            }
            let access = AccessRecord(
                person: person, at: delivery.receivedAt, actor: delivery.device.token ?? "",
                action: .write,
                subject: delivery.dialect.rawValue, origin: delivery.device.origin,
                result: delivery.dialect.storedStatus)
            // An answer that changes nothing is committed too: so it waits, as the change did, for a
            // synchronous standby.
            if let request, let known = try await stored(request, of: person) {
                try await places.record(access)
                return known
            }
            let begin = ContinuousClock.now
            do {
                let settled = try await cache.change(
                    person, PersonChange(request: request, access: access)
                ) { store in try Self.outcome(of: delivery, ahead, into: store) }
                metrics.count(.pushes)
                metrics.count(.samples, settled.receipt.count(.accepted))
                metrics.observePush(begin.duration(to: .now))
                return settled
            } catch let error where IntakeRefusal(error).cursor != nil {
                try await places.record(access)
                throw error
            } catch PeopleError.quotaExceeded {
                throw IntakeRefusal.quotaExceeded
            } catch PeopleError.suspended {
                throw IntakeRefusal.suspended
            } catch PeopleError.changedMeanwhile {
                throw IntakeRefusal.changedMeanwhile
            } catch PeopleError.notConfirmed {
                throw IntakeRefusal.notConfirmed
            } catch PeopleError.unknownPerson {
                throw IntakeRefusal.badToken
            }
        }

        /// Returns the answer to a request that was settled before.
        private func stored(
            _ request: PersonChange.Request, of person: String
        ) async throws -> SettledDelivery? {
            guard let known = try await cache.receipt(of: person, request) else { return nil }
            guard known.bodyHash == request.bodyHash else { throw IntakeRefusal.keyReused }
            guard let answer = SettledAnswer(json: known.answer) else {
                throw PeopleError.damagedLog
            }
            return SettledDelivery(receipt: answer.receipt, cursor: known.cursor)
        }

        private static func outcome(
            of delivery: Receiver.Delivery, _ ahead: ReadAhead?, into store: SampleStore
        ) throws -> ChangeOutcome<SettledDelivery> {
            let before = try store.lastSequence
            let outcome = try DeliverySettling(delivery, ahead).settle(into: store) {
                store, receipt in
                try store.finishIntake(receipt)
            }
            return ChangeOutcome(
                outcome.settled, answer: SettledAnswer(outcome.settled.receipt).json,
                cursor: outcome.settled.cursor,
                contact: outcome.contact.map { DeviceContact($0, of: delivery.device.name) },
                data: try store.changedData(after: before))
        }

        func contents(for sender: SendingDevice) async throws -> [TypeSummary] {
            guard let person = sender.person else { return [] }
            let types = try await cache.reading(person) { try $0.contents().types }
            try await places.record(
                AccessRecord(
                    person: person, at: Date.now.timeIntervalSinceReferenceDate,
                    actor: sender.token ?? "", action: .read, subject: "status",
                    origin: sender.origin, result: 200))
            return types
        }
    }

    extension IntakeRefusal {
        /// Temporary, since the person can be enabled again, or is being moved.
        static let suspended = IntakeRefusal.temporary(
            "suspended", "This person is disabled or being moved. Nothing was stored.",
            retryAfter: 600)
        /// Other nodes stored data of the person all the time.
        static let changedMeanwhile = IntakeRefusal.temporary(
            "changed_meanwhile",
            "Other requests changed the data meanwhile. Nothing was stored. Send the same again.",
            retryAfter: 2)
        /// The database didn't say whether it has the data. The same request again is settled once.
        static let notConfirmed = IntakeRefusal.temporary(
            "not_confirmed",
            "The database didn’t answer. The data may be stored. Send the same again.",
            retryAfter: 10)
        /// Temporary, since the operator can raise the quota: apps keep the data.
        static let quotaExceeded = IntakeRefusal.temporary(
            "quota", "The quota is used up. Nothing was stored. Ask the operator.",
            retryAfter: 3_600)
    }

    extension DeviceContact {
        fileprivate init(_ contact: ReceivingDevice.Contact, of device: String) {
            self.init(
                device: device, dialect: contact.dialect, contactedAt: contact.contactedAt,
                status: contact.status, problem: contact.outcome.problem,
                lastSampleEnd: contact.lastSampleEnd)
        }
    }

    /// The receipt of a request as the log keeps it, for the same request when it comes again. Texts of
    /// a sender are left out.
    struct SettledAnswer: Codable {
        private var number: Int64
        private var counts: [String: Int]
        private var records: [IntakeReceipt.Record]
        private var completions: [IntakeReceipt.Completion]

        init(_ receipt: IntakeReceipt) {
            number = receipt.number
            counts = Dictionary(
                uniqueKeysWithValues: receipt.counts.map { ($0.key.rawValue, $0.value) })
            records = receipt.records
            completions = receipt.completions
        }

        init?(json: String) {
            guard let answer = try? JSONDecoder().decode(SettledAnswer.self, from: Data(json.utf8))
            else { return nil }
            self = answer
        }

        /// Numbers and texts always encode.
        var json: String {
            (try? JSONEncoder().encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? "{}"
        }

        var receipt: IntakeReceipt {
            var receipt = IntakeReceipt(number: number)
            for (name, count) in counts {
                if let result = IntakeReceipt.Result(rawValue: name) {
                    receipt.counts[result] = count
                }
            }
            (receipt.records, receipt.completions, receipt.isComplete) = (
                records, completions, true
            )
            return receipt
        }
    }
#endif
