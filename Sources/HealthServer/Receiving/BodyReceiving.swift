#if Server
    import HTTPTypes
    import HealthIntake
    import HummingbirdCore
    import NIOCore

    /// Receives the body of a request into a temporary file.
    struct BodyReceiving {
        /// The bytes that are collected before they are written.
        private static let partBytes = 128 << 10
        /// The maximum bytes of a refused body that are read, so that the sender gets the answer
        /// instead of an error of the connection.
        private static let drainedBytes = 16 << 20

        private var parts: RequestBody.AsyncIterator
        private let headers: HTTPFields
        private var isAtEnd = false

        init(_ request: Request) {
            headers = request.headers
            parts = request.body.makeAsyncIterator()
        }

        /// Receives the whole body.
        ///
        /// - Parameter receiver: Writes the body to its file.
        /// - Returns: The body and its SHA-256.
        /// - Throws: ``IntakeRefusal`` for an unsupported or damaged encoding, and a body that is
        ///   too large or incomplete; `StoreError` if the file can't be written.
        mutating func receive(
            for receiver: Receiver
        ) async throws -> (body: SpooledBody, digest: [UInt8]) {
            try IntakeRefusal.checkContentType(headers)
            let coding = try IntakeRefusal.coding(headers)
            let limits = receiver.limits.body
            let length = headers[.contentLength].flatMap { Int($0) }
            if let length, length > limits.encodedBytes { throw IntakeRefusal.tooLarge }
            let body = try await receiver.spooling.run { [receiver] in
                try SpooledBody(beside: receiver.destination.bodyPath, coding, limits)
            }
            var pending: [UInt8] = []
            var count = 0
            while let part = try await nextPart() {
                pending.append(contentsOf: part.readableBytesView)
                count += part.readableBytes
                guard pending.count >= BodyReceiving.partBytes else { continue }
                let bytes = pending
                pending = []
                try await receiver.spooling.run { try body.append(bytes) }
            }
            isAtEnd = true
            // The parts also end if the connection is closed.
            if let length, length != count { throw IntakeRefusal.incomplete }
            let bytes = pending
            let digest = try await receiver.spooling.run {
                try body.append(bytes)
                return try body.finish()
            }
            return (body, digest)
        }

        /// Returns the next bytes; nil at the end.
        ///
        /// - Throws: ``IntakeRefusal/incomplete`` if the connection was closed or sent invalid HTTP.
        private mutating func nextPart() async throws(IntakeRefusal) -> ByteBuffer? {
            do { return try await parts.next() } catch { throw .incomplete }
        }

        /// Reads the rest of a refused body, up to a limit.
        mutating func drain() async {
            // What can't be read to its end isn't waited for.
            let length = headers[.contentLength].flatMap { Int($0) } ?? 0
            if length > BodyReceiving.drainedBytes { return }
            var count = 0
            while !isAtEnd, count < BodyReceiving.drainedBytes {
                guard let part = try? await parts.next() else { return }
                count += part.readableBytes
            }
        }
    }
#endif
