// Collects the columns and writes the file.
import Foundation
import HealthKit
import SwiftUI

@MainActor
final class Exporter: ObservableObject {
    @Published private(set) var isRunning = false
    @Published private(set) var isDenied = false
    @Published private(set) var file: URL?
    @Published private var chosen: Set<Column> = [.steps, .heartRate]
    private let store: HKHealthStore
    private let reader: ExportReader

    init(store: HKHealthStore) {
        self.store = store
        reader = ExportReader(store: store)
    }

    func binding(for column: Column) -> Binding<Bool> {
        Binding(
            get: { self.chosen.contains(column) },
            set: { isOn in
                if isOn {
                    self.chosen.insert(column)
                } else {
                    self.chosen.remove(column)
                }
            })
    }

    func prepare() {
        guard HKHealthStore.isHealthDataAvailable() else { return }
        let types = Set(Column.allCases.map(\.objectType))
        store.requestAuthorization(toShare: [], read: types) { success, _ in
            DispatchQueue.main.async {
                if !success {  // finds success-as-permission
                    self.isDenied = true
                }
            }
        }
    }

    func export(_ range: DateInterval) async {
        isRunning = true
        defer { isRunning = false }
        var rows: [[String]] = [["type", "start", "end", "value", "unit", "source"]]
        for column in Column.allCases where chosen.contains(column) {
            do {
                switch column {
                case .sleep: rows += try await reader.sleep(in: range)
                case .workouts: rows += try await reader.workouts(in: range)
                case .weight: rows += try await reader.weights()
                default: rows += try await reader.days(of: column, in: range)
                }
            } catch {
                rows.append([column.rawValue, "", "", "", "", error.localizedDescription])
            }
        }
        file = try? write(rows)
    }

    private func write(_ rows: [[String]]) throws -> URL {
        let lines = rows.map { $0.map(quoted).joined(separator: ",") }
        let stamp = Date.now.formatted(.iso8601.year().month().day())
        let url = FileManager.default.temporaryDirectory
            .appendingPathComponent("health-\(stamp).csv")
        try lines.joined(separator: "\r\n").write(to: url, atomically: true, encoding: .utf8)
        return url
    }

    private func quoted(_ field: String) -> String {
        guard field.contains(where: { ",\"\n".contains($0) }) else { return field }
        return "\"" + field.replacingOccurrences(of: "\"", with: "\"\"") + "\""
    }
}
