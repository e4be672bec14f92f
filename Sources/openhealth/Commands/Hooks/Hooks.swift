import ArgumentParser
import Foundation
import HealthServer
import HealthStorage

/// `openhealth hooks`
struct Hooks: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hooks",
        abstract: "Lists, adds and removes addresses that are notified of changes (webhooks).",
        discussion: """
            While openhealth serve runs, it sends a signed notice to each address after a change. A \
            notice contains no values and no names: {"event":"change","cursor":…,"sent":…}. Its \
            header OpenHealth-Signature is “t=SECONDS,v1=DIGEST”, where DIGEST is the HMAC-SHA256 \
            of “SECONDS.BODY” with the secret. A notice that fails is repeated with growing pauses; \
            after three days of failures the hook is switched off. Notices are sent with the \
            program curl.
            """,
        subcommands: [List.self, Add.self, Remove.self], defaultSubcommand: List.self)
}

extension Hooks {
    /// `openhealth hooks [list]`
    struct List: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "list", abstract: "Lists the hooks and their state (the default).")

        @OptionGroup var global: GlobalOptions

        func run() throws {
            let store = try global.open()
            let directory = try AccessDirectory.openIfPresent(besideStore: store.path)
            let list = HookList(
                hooks: try directory?.hooks() ?? [], calendar: try global.calendar(of: store))
            try global.json ? Output.print(list.json) : Output.print(list.text)
        }
    }

    /// `openhealth hooks add URL`
    struct Add: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "add",
            abstract: "Adds a hook and prints its secret. It can't be shown again.")

        @Argument(help: ArgumentHelp("The address, an HTTPS URL.", valueName: "url"))
        var url: String

        @Flag(help: "Permit an address of your own network or computer.")
        var allowPrivate = false

        @OptionGroup var global: GlobalOptions

        func run() throws {
            guard global.json || isatty(STDOUT_FILENO) == 1 else {
                throw UsageError(
                    "The secret is printed only to a terminal. Add --json to print it elsewhere.")
            }
            let address: HookAddress
            do {
                address = try HookAddress(url)
            } catch {
                throw UsageError(error.description)
            }
            let store = try global.open()
            try checkNetwork(of: address)
            let hook: Hook
            do {
                hook = try AccessDirectory.open(besideStore: store.path).addHook(
                    address.url, allowsPrivateAddresses: allowPrivate,
                    after: try store.lastSequence, at: Date.now.timeIntervalSinceReferenceDate)
            } catch let error as HookError {
                throw CommandError(error.description)
            }
            if global.json {
                let json = JSONText.object([
                    "id": .string(hook.identifier), "secret": .string(hook.secret),
                ])
                return try Output.print(json)
            }
            try Output.print(hook.secret + "\n")
            Message.write(
                "Copy the secret now: it can't be shown again. It signs the notices of "
                    + "\(hook.identifier). To remove the hook: openhealth hooks remove "
                    + hook.identifier)
        }

        /// Throws for an address that no notice could be sent to. A host that can't be resolved now
        /// may be resolved later.
        private func checkNetwork(of address: HookAddress) throws {
            let found = HostResolution.addresses(of: address.host)
            if !allowPrivate, !found.allSatisfy(PublicAddress.contains) {
                throw UsageError(
                    "The host is in a private network. To permit that, add --allow-private.")
            }
            if found.isEmpty {
                Message.write("Warning: the host can't be resolved now.")
            }
        }
    }

    /// `openhealth hooks remove ID`
    struct Remove: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "remove", abstract: "Removes a hook.")

        @Argument(help: ArgumentHelp("The hook's id in the list.", valueName: "id"))
        var identifier: String

        @OptionGroup var global: GlobalOptions

        func run() throws {
            let store = try global.open()
            do {
                guard let directory = try AccessDirectory.openIfPresent(besideStore: store.path)
                else { throw HookError.unknown(identifier) }
                try directory.removeHook(identifier)
            } catch let error as HookError {
                throw CommandError(error.description.printable)
            }
            global.json
                ? try Output.print(JSONText.object(["removed": .string(identifier)]))
                : Message.write("Removed the hook \(identifier.printable).")
        }
    }
}
