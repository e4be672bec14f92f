#if Server
    import HTTPTypes

    /// Finds the tokens in the header fields of a request. Apps differ in the field, and several of
    /// them send a text that a person typed in.
    enum DeviceCredential {
        private static let names = ["X-API-Key", "api-key", "X-Open-Wearables-API-Key"]

        /// Returns the texts that can be tokens: of `Authorization`, with or without “Bearer”, then
        /// of the fields for keys.
        static func tokens(_ headers: HTTPFields) -> [String] {
            let authorization = headers[values: .authorization].map { value in
                let words = value.split(separator: " ", maxSplits: 1)
                let hasScheme = words.count == 2 && words[0].lowercased() == "bearer"
                return trimmed(hasScheme ? words[1] : value[...])
            }
            let keys = names.compactMap { HTTPField.Name($0) }.flatMap { headers[values: $0] }
            // A request has one or two; more would be guessing.
            return (authorization + keys.map { trimmed($0[...]) }).filter { !$0.isEmpty }.prefix(4)
                .map { $0 }
        }

        private static func trimmed(_ text: Substring) -> String {
            var text = text
            while text.first == " " { text.removeFirst() }
            while text.last == " " { text.removeLast() }
            return String(text)
        }
    }
#endif
