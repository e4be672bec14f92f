import Foundation

/// The folder where photos lie under their digests.
final class MirrorPhotos: Sendable {
    /// How long the folder lasts.
    enum Lifetime {
        /// As long as the file beside it.
        case file
        /// As long as this object.
        case object
    }

    let folder: URL
    private let lifetime: Lifetime

    init(folder: URL, lifetime: Lifetime) {
        self.folder = folder
        self.lifetime = lifetime
    }

    deinit {
        if lifetime == .object { try? FileManager.default.removeItem(at: folder) }
    }
}
