#if Server
    import HTTPTypes
    import HummingbirdCore
    import NIOCore

    /// Receives an uploaded export into a file beside the store, and starts its import.
    struct UploadReceiving {
        /// The bytes that are collected before they are written.
        private static let partBytes = 1 << 20
        /// The maximum bytes of a refused body that are read, so that the browser gets the answer
        /// instead of an error of the connection.
        private static let drainedBytes = 16 << 20

        private var parts: RequestBody.AsyncIterator
        private let headers: HTTPFields
        private let channel: any Channel
        /// The bytes of the body that were received.
        private var byteCount = 0
        private var isAtEnd = false

        init(_ request: Request, _ channel: any Channel) {
            headers = request.headers
            self.channel = channel
            parts = request.body.makeAsyncIterator()
        }

        /// The length of the body; nil if the request doesn't say.
        private var length: Int? { headers[.contentLength].flatMap { Int($0) } }

        /// Receives the file and starts its import in the background.
        ///
        /// - Parameters:
        ///   - session: The browser's session.
        ///   - imports: The imports into the store.
        /// - Throws: ``UploadRefusal``; ``RequestRejection`` without the form key; `StoreError` if
        ///   the file can't be written. Then nothing is left of the file.
        mutating func receive(
            for session: Sessions.Session, into imports: PageImports
        ) async throws {
            // Without a length, a lost connection looks like the end of the file.
            guard let length else { throw UploadRefusal.noLength }
            var content = try UploadContent(headers, session.formKey)
            let watch = StallWatch(imports.limits.stallTimeout, channel)
            defer { watch.cancel() }
            var begun: (attempt: PageImports.Attempt, file: UploadedExport)?
            if content.isAllowed { begun = try await imports.begin(size: length) }
            do {
                var pending: [UInt8] = []
                while let part = try await nextPart() {
                    watch.note()
                    pending += try content.file(in: Array(part.readableBytesView))
                    if begun == nil, content.isAllowed {
                        begun = try await imports.begin(size: length)
                    }
                    guard let (attempt, file) = begun, pending.count >= Self.partBytes else {
                        continue
                    }
                    if attempt.isCancelled { throw UploadRefusal.cancelled }
                    let bytes = pending
                    pending = []
                    try await imports.spooling.run { try file.append(bytes) }
                    imports.note(received: Int64(byteCount))
                }
                isAtEnd = true
                guard byteCount == length, content.isComplete else {
                    throw UploadRefusal.incomplete
                }
                guard let (attempt, file) = begun else { throw RequestRejection.otherSite }
                let bytes = pending
                try await imports.spooling.run {
                    try file.append(bytes)
                    try file.finish()
                }
                imports.start(file, attempt)
            } catch {
                if let begun { imports.end(begun.attempt, error) }
                throw error
            }
        }

        /// Returns the next bytes; nil at the end, and if the connection was closed.
        ///
        /// - Throws: ``UploadRefusal/incomplete`` if the connection was lost or sent invalid HTTP.
        private mutating func nextPart() async throws(UploadRefusal) -> ByteBuffer? {
            let part: ByteBuffer?
            do { part = try await parts.next() } catch { throw .incomplete }
            byteCount += part?.readableBytes ?? 0
            return part
        }

        /// Reads the rest of a refused body, up to a limit. What can't be read to its end isn't
        /// waited for.
        mutating func drain(within timeout: Duration) async {
            guard !isAtEnd, let length, length - byteCount <= Self.drainedBytes else { return }
            let watch = StallWatch(timeout, channel)
            defer { watch.cancel() }
            while byteCount < length, let part = try? await nextPart(), part.readableBytes > 0 {
                watch.note()
            }
        }
    }
#endif
