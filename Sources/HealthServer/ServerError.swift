import Foundation
import NIOCore

/// Why a server can't listen.
public enum ServerError: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another process listens there.
    case portInUse(Int)
    /// The system reserves the port.
    case portNotPermitted(Int)
    /// The address is none of this computer's.
    case noSuchAddress(String)
    case failed(String)

    init(_ error: any Error, _ listening: HealthServer.Listening, _ port: Int) {
        let code = (error as? IOError)?.errnoCode
        switch (code, listening) {
        case (EADDRINUSE, _): self = .portInUse(port)
        case (EACCES, _): self = .portNotPermitted(port)
        case (_, .address(let address, _)) where code == nil || code == EADDRNOTAVAIL:
            self = .noSuchAddress(address)
        case (let code?, _): self = .failed(String(cString: strerror(code)))
        case (nil, _): self = .failed("\(type(of: error))")
        }
    }

    public var description: String {
        switch self {
        case .portInUse(let port):
            "Port \(port) is in use; leave --port out for a free one, or choose another."
        case .portNotPermitted(let port):
            "Port \(port) is reserved by the system; choose one above 1023."
        case .noSuchAddress(let address):
            "Nothing can listen on “\(address)”: it is no address of this computer."
        case .failed(let reason): "The pages can't be served: \(reason)."
        }
    }
}
