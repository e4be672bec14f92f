#if !canImport(Darwin)
    public import Foundation

    extension URL {
        /// Returns the URL with the extension of a type, unless it has one of the type already.
        ///
        /// - Parameter contentType: The type. One without extensions leaves the URL as it is.
        /// - Returns: The URL: `…/scan` becomes `…/scan.pdf`.
        public func appendingPathExtension(for contentType: UTType) -> URL {
            let own = contentType.tags[.filenameExtension] ?? []
            guard let preferred = own.first, !own.contains(pathExtension.lowercased()) else {
                return self
            }
            return appendingPathExtension(preferred)
        }

        /// Appends the extension of a type, as ``appendingPathExtension(for:)``.
        ///
        /// - Parameter contentType: The type.
        public mutating func appendPathExtension(for contentType: UTType) {
            self = appendingPathExtension(for: contentType)
        }

        /// Returns the URL with another component, and with the extension of a type.
        ///
        /// - Parameters:
        ///   - partialName: The component, with or without the extension.
        ///   - contentType: The type.
        /// - Returns: The URL: `…/` with "scan" and PDF becomes `…/scan.pdf`.
        public func appendingPathComponent(
            _ partialName: String, conformingTo contentType: UTType
        ) -> URL {
            appendingPathComponent(partialName).appendingPathExtension(for: contentType)
        }
    }
#endif
