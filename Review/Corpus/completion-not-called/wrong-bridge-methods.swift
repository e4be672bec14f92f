// Methods of bridges that leave the other side waiting, around functions that read.
import HealthKit

typealias FlutterResult = (Any?) -> Void
typealias RCTPromiseResolveBlock = (Any?) -> Void
typealias RCTPromiseRejectBlock = (String?, String?, (any Error)?) -> Void

final class CAPPluginCall {
    func getString(_ key: String) -> String? { nil }
    func resolve(_ data: [String: Any] = [:]) {}
    func reject(_ message: String) {}
}

final class Reader {
    private let store: HKHealthStore

    init(store: HKHealthStore) { self.store = store }

    func rows(of name: String, completion: @escaping ([String]?, (any Error)?) -> Void) {
        let query = HKSampleQuery(
            sampleType: HKQuantityType(.bodyMass), predicate: nil, limit: 10, sortDescriptors: nil
        ) { _, samples, error in
            completion(samples?.map { $0.uuid.uuidString + name }, error)
        }
        store.execute(query)
    }
}

@objc(WebPlugin) final class WebPlugin: NSObject {
    let reader: Reader

    init(reader: Reader) { self.reader = reader }

    @objc func query(_ call: CAPPluginCall) {
        guard let name = call.getString("type") else {
            return  // finds completion-not-called
        }
        reader.rows(of: name, completion: { rows, error in  // finds completion-not-called
            guard let rows else { return call.reject("\(String(describing: error))") }
            if !rows.isEmpty {
                call.resolve(["rows": rows])
            }
        })
    }

    @objc func weights(
        _ options: NSDictionary, resolver resolve: @escaping RCTPromiseResolveBlock,
        rejecter reject: @escaping RCTPromiseRejectBlock
    ) {
        guard let unit = options["unit"] as? String else {
            return  // finds completion-not-called
        }
        reader.rows(of: unit) { rows, error in
            if let rows { resolve(rows) } else { reject("rows", nil, error) }
        }
    }
}

final class DartPlugin {
    let reader: Reader

    init(reader: Reader) { self.reader = reader }

    func handle(_ method: String, _ arguments: [String: Any], result: @escaping FlutterResult) {
        switch method {
        case "rows": rows(arguments, result)
        case "first":
            guard let name = arguments["name"] as? String else {
                return  // finds completion-not-called
            }
            reader.rows(of: name) { rows, _ in result(rows?.first) }
        default: result(nil)
        }
    }

    private func rows(_ arguments: [String: Any], _ result: @escaping FlutterResult) {
        guard let name = arguments["name"] as? String, !name.isEmpty else {
            print("no name")
            return  // finds completion-not-called
        }
        reader.rows(of: name) { rows, error in
            result(rows ?? "\(String(describing: error))")
        }
    }
}
