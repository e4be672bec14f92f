// Entry of an exporter that writes CSV files.
import HealthKit
import SwiftUI

@main
struct ExporterApp: App {
    @StateObject private var exporter = Exporter(store: HKHealthStore())

    var body: some Scene {
        WindowGroup {
            ExportView(exporter: exporter)
        }
    }
}

struct ExportView: View {
    @ObservedObject var exporter: Exporter
    @State private var from = Calendar.current.date(byAdding: .year, value: -1, to: .now) ?? .now
    @State private var to = Date.now

    var body: some View {
        Form {
            Section("Range") {
                DatePicker("From", selection: $from, displayedComponents: .date)
                DatePicker("To", selection: $to, displayedComponents: .date)
            }
            Section("What") {
                ForEach(Column.allCases) { column in
                    Toggle(column.title, isOn: exporter.binding(for: column))
                }
            }
            Section {
                Button("Export") {
                    Task { await exporter.export(DateInterval(start: from, end: to)) }
                }
                .disabled(exporter.isRunning)
                if let url = exporter.file {
                    ShareLink(item: url)
                }
                if exporter.isDenied {
                    Text("Allow reading in the Health app, under Sharing.")
                }
            }
        }
        .task { exporter.prepare() }
    }
}
