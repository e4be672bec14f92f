import Foundation
import HealthArchive
import HealthServer
import HealthSimulator
import HealthTesting
import Testing

extension BrowserTests {
    /// The import of an export that is dropped on the page.
    @Suite(.inTestAll) struct ImportTests {
        /// A simulated person's export.
        private func export() throws -> Data {
            let folder = try TemporaryFolder()
            let path = folder.path + "/export.zip"
            let simulation = try Simulation(SimulatedPerson(seed: 3, days: 35, records: 5_000))
            var archive = try ExportArchive(
                path: path,
                header: ExportHeader(
                    locale: simulation.locale, exportDate: simulation.exportDate,
                    offset: simulation.exportOffset,
                    characteristics: simulation.characteristics))
            for batch in simulation.batches { try archive.write(batch) }
            _ = try archive.finish()
            return try Data(contentsOf: URL(fileURLWithPath: path))
        }

        /// Starts a server of a folder without a store.
        private func start(_ folder: TemporaryFolder) async throws -> (HealthServer, String) {
            let stores = ServedStores(
                of: StorePerson(name: nil, path: folder.path + "/health.sqlite"),
                ServedStores.Surroundings(
                    open: { person, shown in
                        try HealthServer(
                            storeAt: person.path,
                            audience: .owner(commandOptions: "", shown: shown))
                    }))
            _ = try stores.open()
            let server = HealthServer(stores)
            let (urls, continuation) = AsyncStream.makeStream(of: String.self)
            Task {
                try? await server.run { notice in
                    if case .listening(let url) = notice { continuation.yield(url) }
                }
                continuation.finish()
            }
            for await url in urls { return (server, url) }
            throw DevTools.Failed(description: "the server ended before it listened")
        }

        @Test("a dropped export is uploaded, imported, reported and shown")
        func dropping() async throws {
            let (tab, _) = try await Browser.shared.tab()
            let folder = try TemporaryFolder()
            let (server, url) = try await start(folder)
            defer { server.end() }
            try await tab.load(url)
            #expect(try await tab.value("document.querySelector('ol.steps') !== null"))
            let bytes = try export().base64EncodedString()
            tab.clear()
            // A file that is dropped beside the place counts too.
            _ = try await tab.value(
                """
                (() => {
                  const bytes = Uint8Array.from(atob('\(bytes)'), each => each.charCodeAt(0));
                  const transfer = new DataTransfer();
                  transfer.items.add(new File([bytes], 'export.zip', {type: 'application/zip'}));
                  document.querySelector('h1').dispatchEvent(new DragEvent(
                    'drop', {dataTransfer: transfer, bubbles: true, cancelable: true}));
                  return true;
                })()
                """, as: Bool.self)
            try await tab.wait(
                "for the report",
                untilTrue: """
                    location.pathname === '/import' && document.readyState === 'complete' \
                    && document.querySelector('main a.button') !== null
                    """)
            #expect(tab.errors == [])
            let text = try await tab.value(
                "document.getElementById('main').innerText", as: String.self)
            #expect(text.contains("Whose data") && text.contains("Sam’s iPhone"))
            #expect(try await tab.value("document.querySelector('form.drop') !== null"))
            try await tab.load("http://127.0.0.1:\(server.port ?? 0)/sleep")
            #expect(try await tab.value("document.querySelectorAll('figure').length > 0"))
        }

        @Test("a file that isn't an export is a sentence on the page, not a stack trace")
        func refused() async throws {
            let (tab, _) = try await Browser.shared.tab()
            let folder = try TemporaryFolder()
            let (server, url) = try await start(folder)
            defer { server.end() }
            try await tab.load(url)
            _ = try await tab.value(
                """
                (() => {
                  const transfer = new DataTransfer();
                  transfer.items.add(new File(['hello'], 'notes.txt'));
                  const field = document.getElementById('export');
                  field.files = transfer.files;
                  field.dispatchEvent(new Event('change', {bubbles: true}));
                  return true;
                })()
                """, as: Bool.self)
            try await tab.wait(
                "for the reason",
                untilTrue: """
                    (document.querySelector('main [role=alert]')?.innerText || '') \
                      .includes('Choose the export.zip')
                    """)
            #expect(try await tab.value("!document.body.innerText.includes('/tmp/')"))
        }
    }
}
