import Foundation

extension PushSender {
    /// What the server's answer means for a page.
    enum Outcome {
        /// The server has the page.
        case confirmed(PushReceipt)
        /// The server has another position than expected; nil for none.
        case conflict(String?)
        /// The server doesn't take pages of this size.
        case tooLarge
    }

    /// Sends a page, and interprets the answer.
    ///
    /// - Throws: ``PushError`` if the page must be sent again later; `CancellationError`.
    func post(
        _ header: PushHeader, _ page: ArraySlice<PushEncoder.Group>
    ) async throws -> Outcome {
        let request = try request(header, page)
        state.update { $0.activity = .sending }
        let answer: PushAnswer
        do {
            answer = try await transport(request)
        } catch {
            if Task.isCancelled {
                state.update { $0.activity = .idle }
                throw CancellationError()
            }
            throw fail(PushError.Code(connecting: error), nil)
        }
        let outcome = try outcome(of: answer, to: header.to)
        backoff { $0.succeed() }
        state.update {
            $0.activity = .idle
            $0.lastError = nil
        }
        return outcome
    }

    private func request(
        _ header: PushHeader, _ page: ArraySlice<PushEncoder.Group>
    ) throws -> PushRequest {
        let newline = UInt8(ascii: "\n")
        var body = try PushEncoder.lineEncoder().encode(header)
        body.append(newline)
        for group in page {
            for line in group.lines {
                body.append(line)
                body.append(newline)
            }
        }
        let target = target { $0 }
        return PushRequest(
            url: target.url,
            headers: [
                "Authorization": "Bearer " + target.token,
                "Content-Type": "application/x-ndjson", "Accept": "application/json",
            ], body: body)
    }

    /// Only an answer that names the page's cursor confirms the page: an answer with status 200 can
    /// come from a captive portal.
    private func outcome(of answer: PushAnswer, to cursor: String) throws -> Outcome {
        switch answer.status {
        case 200:
            guard let receipt = try? JSONDecoder().decode(PushReceipt.self, from: answer.body),
                receipt.cursor == cursor
            else { throw fail(.unexpectedAnswer, nil) }
            return .confirmed(receipt)
        case 409:
            guard
                let conflict = try? JSONDecoder().decode(PushConflict.self, from: answer.body),
                conflict.error == "cursor"
            else { throw fail(.unexpectedAnswer, nil) }
            return .conflict(conflict.cursor)
        case 413: return .tooLarge
        case 401, 403: throw fail(.unauthorized, nil)
        case 408, 425, 429, 500...:
            throw fail(
                .unavailable(status: answer.status), answer.retryAfter.flatMap(TimeInterval.init))
        default: throw fail(.refused(status: answer.status), nil)
        }
    }

    /// Notes a failure, and returns it with the delay before the next attempt.
    func fail(_ code: PushError.Code, _ retryAfter: TimeInterval?) -> PushError {
        let (date, random) = (now(), random())
        let finite = retryAfter.flatMap { $0.isFinite ? $0 : nil }
        let (error, next) = backoff { backoff in
            let error = backoff.fail(code, retryAfter: finite, at: date, random: random)
            return (error, backoff.next)
        }
        state.update {
            $0.lastError = error
            $0.activity =
                code == .unauthorized ? .unauthorized : next.map { .waiting(until: $0) } ?? .idle
        }
        return error
    }
}

extension PushError.Code {
    /// The code of a transport's error.
    fileprivate init(connecting error: any Error) {
        self = .offline
        #if os(Linux) || os(macOS)
            switch error as? CurlRequest.Failure {
            case .insecure: self = .untrusted
            case .notInstalled: self = .missingProgram
            default: break
            }
        #endif
        let error = error as NSError
        if error.domain == NSURLErrorDomain, Self.errorsOfTLS.contains(error.code) {
            self = .untrusted
        }
    }

    /// From `NSURLErrorClientCertificateRequired` to `NSURLErrorSecureConnectionFailed`.
    private static let errorsOfTLS = -1206 ... -1200
}

/// The answer to a page that the server has stored. Numbers that are missing are 0.
struct PushReceipt: Decodable {
    let receipt: String?
    let cursor: String
    let received: Int?
    let accepted: Int?
    let duplicate: Int?
    let changed: Int?
    let deleted: Int?
    let unknown: Int?
    let rejected: Int?
}

/// The answer to a page that doesn't begin at the server's position.
struct PushConflict: Decodable {
    let error: String
    let cursor: String?
}

extension PushState {
    /// Adds a confirmed page.
    mutating func add(_ receipt: PushReceipt, at date: Date) {
        pages += 1
        lastConfirmed = date
        lastReceipt = receipt.receipt
        records.received += receipt.received ?? 0
        records.accepted += receipt.accepted ?? 0
        records.duplicate += receipt.duplicate ?? 0
        records.changed += receipt.changed ?? 0
        records.deleted += receipt.deleted ?? 0
        records.unknown += receipt.unknown ?? 0
        records.rejected += receipt.rejected ?? 0
    }
}
