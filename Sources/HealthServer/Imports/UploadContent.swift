#if Server
    import HTTPTypes

    /// Finds the file in the body of an upload, and checks the form key that comes before it.
    ///
    /// The pages' script sends the file as the body, with the form key in the header
    /// ``HTTPField/Name/formKey``. A form without script sends the form key as its first field.
    struct UploadContent {
        private static let types = ["application/zip", "application/octet-stream"]

        private let formKey: Secret
        /// The reader of a form; nil if the body is the file.
        private var reader: MultipartReader?
        /// Whether the form key was found. Before that, no byte of the file is returned.
        private(set) var isAllowed = false

        /// - Parameters:
        ///   - headers: The headers of the request.
        ///   - formKey: The session's form key.
        /// - Throws: ``UploadRefusal`` for another content type; ``RequestRejection`` for a file
        ///   without the form key.
        init(_ headers: HTTPFields, _ formKey: Secret) throws {
            self.formKey = formKey
            let words = (headers[.contentType] ?? "").split(separator: ";")
                .map { $0.trimmingPrefix(" ") }
            let type = words.first?.lowercased() ?? ""
            if Self.types.contains(type) {
                try check(headers[.formKey] ?? "")
            } else if type == "multipart/form-data" {
                let parameter = words.dropFirst().first { $0.lowercased().hasPrefix("boundary=") }
                let boundary = parameter?.dropFirst("boundary=".count) ?? ""
                reader = try MultipartReader(boundary: String(boundary).replacing("\"", with: ""))
            } else {
                throw UploadRefusal.notAForm
            }
        }

        /// Whether the bytes that were passed to ``file(in:)`` contain the whole file.
        var isComplete: Bool { reader?.isAtEnd ?? true }

        /// Returns the bytes of the file in the next bytes of the body.
        ///
        /// - Throws: ``UploadRefusal`` for a malformed form; ``RequestRejection`` for a wrong form
        ///   key, or a file before it.
        mutating func file(in bytes: [UInt8]) throws -> [UInt8] {
            guard let events = try reader?.read(bytes) else { return bytes }
            var file: [UInt8] = []
            for event in events {
                switch event {
                case .field("csrf", let value): try check(value)
                case .field: break
                case .file(let bytes):
                    guard isAllowed else { throw RequestRejection.otherSite }
                    file += bytes
                }
            }
            return file
        }

        private mutating func check(_ key: String) throws {
            guard formKey.matches(key) else { throw RequestRejection.otherSite }
            isAllowed = true
        }
    }

    extension HTTPField.Name {
        /// The form key of an upload by the pages' script.
        static let formKey = HTTPField.Name("X-Form-Key") ?? .origin
    }
#endif
