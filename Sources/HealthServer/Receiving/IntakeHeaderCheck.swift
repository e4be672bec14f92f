#if Server
    import HTTPTypes
    import HealthIntake

    extension IntakeRefusal {
        private static let typeNames: Set<String> = [
            "application/json", "text/json", "application/x-ndjson", "application/ndjson",
            "application/x-json-stream", "application/octet-stream", "text/plain",
        ]

        /// Checks the content type of a body. Without one, or with a general one, it counts as
        /// JSON.
        ///
        /// - Throws: ``IntakeRefusal/contentType`` for another type, and for a character set other
        ///   than UTF-8 or its subset ASCII.
        static func checkContentType(_ headers: HTTPFields) throws(IntakeRefusal) {
            guard let text = headers[.contentType] else { return }
            let parts = text.split(separator: ";").map { part in
                part.lowercased().filter { $0 != " " && $0 != "\t" && $0 != "\"" }
            }
            guard let type = parts.first, typeNames.contains(type) || type.hasSuffix("+json") else {
                throw .contentType
            }
            for part in parts.dropFirst() where part.hasPrefix("charset=") {
                let name = part.dropFirst("charset=".count)
                guard ["utf-8", "utf8", "us-ascii", "ascii"].contains(name) else {
                    throw .contentType
                }
            }
        }

        /// Returns the coding of a body.
        ///
        /// - Throws: ``IntakeRefusal/contentEncoding`` for one that isn't supported.
        static func coding(_ headers: HTTPFields) throws(IntakeRefusal) -> SpooledBody.Coding {
            let names = headers[values: .contentEncoding].joined(separator: ",")
                .split(separator: ",")
                .map { $0.lowercased().filter { $0 != " " && $0 != "\t" } }
                .filter { $0 != "identity" && !$0.isEmpty }
            switch names {
            case []: return .identity
            case ["gzip"], ["x-gzip"]: return .gzip
            default: throw .contentEncoding
            }
        }
    }

    extension IntakeHeaders {
        /// Creates the header fields that a dialect may read: all without credentials.
        init(_ headers: HTTPFields) {
            let secret: Set<String> = [
                "authorization", "x-api-key", "api-key", "x-open-wearables-api-key", "cookie",
            ]
            self.init(
                headers.filter { !secret.contains($0.name.canonicalName) }
                    .map { ($0.name.rawName, $0.value) })
        }
    }
#endif
