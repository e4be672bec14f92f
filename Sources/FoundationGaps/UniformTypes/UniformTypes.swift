#if !canImport(Darwin)
    import Foundation

    /// The known types, from the identifiers, extensions and MIME types of Apple's documentation.
    enum UniformTypes {
        /// A known type.
        struct Declaration: Sendable {
            var identifier: String
            /// The extensions, the preferred one first.
            var extensions: [String]
            /// The MIME types, the preferred one first.
            var mimeTypes: [String]
            /// The identifiers of the types to which it conforms directly.
            var parents: [String]
            /// The name for people; nil if it has none.
            var name: String?

            func tags(_ kind: UTTagClass) -> [String] {
                switch kind {
                case .filenameExtension: extensions
                case .mimeType: mimeTypes
                default: []
                }
            }
        }

        /// The identifier of ``UTType/data``.
        static let data = "public.data"

        /// Returns a known type by its identifier, in any case.
        static func declaration(of identifier: String) -> Declaration? {
            byIdentifier[identifier] ?? byIdentifier[identifier.lowercased()]
        }

        private static let byIdentifier = Dictionary(
            all.map { ($0.identifier, $0) }, uniquingKeysWith: { first, _ in first })

        /// All known types. Of two with one extension, the preferred one is first.
        static let all = table.split(separator: "\n").map { row in
            let fields = row.split(separator: "|", omittingEmptySubsequences: false)
                .map { $0.trimmingCharacters(in: .whitespaces) }
            func list(_ index: Int) -> [String] {
                index < fields.count ? fields[index].split(separator: " ").map(String.init) : []
            }
            return Declaration(
                identifier: list(0).first ?? "", extensions: list(1), mimeTypes: list(2),
                parents: list(3), name: fields.count > 4 && !fields[4].isEmpty ? fields[4] : nil)
        }

        /// A row for each type: identifier, extensions, MIME types, parents, name.
        private static let table = """
            public.item | | | | item
            public.content | | | | content
            public.composite-content | | | public.content |
            public.data | | | public.item | data
            public.directory | | | public.item | directory
            com.apple.resolvable | | | |
            public.folder | | | public.directory | folder
            com.apple.package | | | public.directory | package
            com.apple.bundle | | | public.directory | bundle
            public.executable | | | public.item | executable
            public.disk-image | | | public.archive | disk image
            public.symlink | | | public.item com.apple.resolvable | symbolic link
            public.url | | | public.data | URL
            public.file-url | | | public.url | file URL
            public.text | | | public.data public.content | text
            public.plain-text | txt text | text/plain | public.text | plain text
            public.utf8-plain-text | | | public.plain-text | Unicode text
            public.utf16-plain-text | | | public.plain-text | Unicode text
            public.delimited-values-text | | | public.text | delimited text
            public.comma-separated-values-text | csv | text/csv | public.delimited-values-text \
            | comma-separated values
            public.tab-separated-values-text | tsv | text/tab-separated-values \
            | public.delimited-values-text | tab-separated values
            public.rtf | rtf | text/rtf | public.text | rich text document
            public.html | html htm shtml | text/html | public.text | HTML text
            public.xml | xml | application/xml text/xml | public.text | XML text
            public.yaml | yaml yml | application/x-yaml | public.text | YAML document
            public.json | json | application/json | public.text | JSON document
            public.source-code | | | public.plain-text | source code
            public.swift-source | swift | | public.source-code | Swift source code
            com.apple.log | log | | public.plain-text | log file
            com.apple.property-list | plist | | public.data | property list
            com.apple.xml-property-list | | | public.xml com.apple.property-list | XML property list
            com.apple.binary-property-list | | | com.apple.property-list | binary property list
            com.adobe.pdf | pdf | application/pdf | public.data public.composite-content \
            | PDF document
            com.apple.rtfd | rtfd | | com.apple.package public.composite-content \
            | rich text with attachments
            com.apple.webarchive | webarchive | application/x-webarchive \
            | public.data public.composite-content | web archive
            org.idpf.epub-container | epub | application/epub+zip \
            | public.data public.composite-content | EPUB document
            public.image | | | public.data public.content | image
            public.jpeg | jpeg jpg jpe | image/jpeg image/jpg | public.image | JPEG image
            public.tiff | tiff tif | image/tiff | public.image | TIFF image
            com.compuserve.gif | gif | image/gif | public.image | GIF image
            public.png | png | image/png | public.image | PNG image
            com.apple.icns | icns | image/icns | public.image | icon image
            com.microsoft.bmp | bmp dib | image/bmp | public.image | BMP image
            com.microsoft.ico | ico | image/vnd.microsoft.icon image/x-icon | public.image \
            | Windows icon
            public.camera-raw-image | | | public.image | raw image
            public.svg-image | svg svgz | image/svg+xml | public.image public.xml | SVG image
            com.apple.live-photo | | | public.data public.content | Live Photo
            public.heif-standard | | | public.image | HEIF image
            public.heif | heif hif | image/heif | public.heif-standard | HEIF image
            public.heic | heic | image/heic | public.heif-standard | HEIF image
            org.webmproject.webp | webp | image/webp | public.image | WebP image
            public.3d-content | | | public.content | 3D content
            com.pixar.universal-scene-description-mobile | usdz | model/vnd.usdz+zip \
            | public.3d-content public.data | USDZ scene
            public.audiovisual-content | | | public.data public.content | audiovisual content
            public.movie | | | public.audiovisual-content | movie
            public.video | | | public.movie | video
            public.audio | | | public.audiovisual-content | audio
            com.apple.quicktime-movie | mov qt | video/quicktime | public.movie | QuickTime movie
            public.mpeg | mpg mpeg mpe m75 m15 | video/mpeg | public.movie | MPEG movie
            public.mpeg-4 | mp4 mpg4 | video/mp4 | public.movie | MPEG-4 movie
            public.mpeg-4-audio | mp4 | audio/mp4 | public.mpeg-4 public.audio | MPEG-4 audio
            com.apple.m4a-audio | m4a | audio/x-m4a | public.mpeg-4-audio | MPEG-4 audio
            com.apple.protected-mpeg-4-audio | m4p | audio/x-m4p | public.audio \
            | protected MPEG-4 audio
            com.apple.protected-mpeg-4-video | m4v | video/x-m4v | public.movie \
            | protected MPEG-4 movie
            public.avi | avi vfw | video/avi | public.movie | AVI movie
            public.mp3 | mp3 mpga | audio/mpeg audio/mp3 | public.audio | MP3 audio
            public.aiff-audio | aiff aif | audio/aiff audio/x-aiff | public.audio | AIFF audio
            com.microsoft.waveform-audio | wav wave | audio/vnd.wave audio/wav | public.audio \
            | waveform audio
            public.midi-audio | midi mid | audio/midi | public.audio | MIDI audio
            public.playlist | | | public.data | playlist
            public.archive | | | public.data | archive
            org.gnu.gnu-zip-archive | gz gzip | application/x-gzip application/gzip \
            | public.data public.archive | gzip archive
            public.bzip2-archive | bz2 bzip2 | application/x-bzip2 application/x-bzip \
            | public.data public.archive | bzip2 archive
            public.zip-archive | zip | application/zip | public.data public.archive | ZIP archive
            public.spreadsheet | | | public.content | spreadsheet
            public.presentation | | | public.composite-content | presentation
            public.database | | | public.content | database
            public.message | | | | message
            public.email-message | eml | message/rfc822 | public.data public.message | email message
            public.contact | | | | contact
            public.vcard | vcf vcard | text/vcard text/directory | public.text public.contact \
            | vCard
            public.calendar-event | | | | calendar event
            public.font | | | | font
            com.rsa.pkcs-12 | p12 pfx | application/x-pkcs12 | public.data \
            | personal information exchange
            public.x509-certificate | cer crt der | application/x-x509-ca-cert | public.data \
            | certificate
            """
    }
#endif
