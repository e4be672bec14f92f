#if People
    import HealthPeople

    extension HealthServer {
        /// Creates a server of many people, which also receives what their devices send.
        ///
        /// - Parameters:
        ///   - site: The people.
        ///   - listening: The address to listen on.
        ///   - port: The port, or 0 for any free one.
        ///   - limits: The limits on clients.
        ///   - proxies: The addresses that requests may come from, besides this computer; nil for
        ///     all.
        ///   - certificate: The certificate for HTTPS; nil for HTTP.
        ///   - log: Gets a line for each request; nil for no log.
        package convenience init(
            _ site: PeopleSite, listening: Listening = .loopback, port: Int = 0,
            limits: Limits = .people, proxies: AddressRange? = nil,
            certificate: ServerCertificate? = nil, log: RequestLog? = nil
        ) {
            self.init(
                .ofPeople, of: [], listening: listening, port: port, limits: limits, api: nil,
                receiver: site.receiver(), people: site, audience: .person, log: log,
                proxies: proxies, certificate: certificate, revision: { nil })
        }
    }
#elseif Server
    /// The people of a server, in a build without them: there are none.
    typealias PeopleSite = Never
#endif
