public import Foundation
import HealthStorage

/// A query for clinical documents.
///
/// The documents are delivered in pages. The last call of the handler has a true flag.
// `@unchecked Sendable`: all stored properties are immutable except for the handler, which is
// locked.
open class HKDocumentQuery: HKQuery, @unchecked Sendable {
    private typealias Handler =
        @Sendable (HKDocumentQuery, [HKDocumentSample]?, Bool, (any Error)?) -> Void

    private let maximumDocuments: Int
    private let order: [NSSortDescriptor]?
    private let withData: Bool
    private let handler: QueryHandler<Handler>

    /// The maximum number of documents in one call of the handler.
    private static let pageSize = 16

    /// Creates a query for documents of a type.
    ///
    /// - Parameters:
    ///   - documentType: The type of the documents.
    ///   - predicate: Which documents to return; nil for all.
    ///   - limit: The maximum number of documents; ``HKObjectQueryNoLimit`` for no limit. A
    ///     negative limit is reported as ``HKError/errorInvalidArgument``.
    ///   - sortDescriptors: The order: by start or end date; nil for the default order.
    ///   - includeDocumentData: Whether ``HKCDADocument/documentData`` has the XML.
    ///   - resultsHandler: Receives the query, the next documents, whether they are the last ones,
    ///     and an error. Without documents or with an error, it is called once, with true. Called
    ///     on a background queue.
    @preconcurrency
    public required init(
        documentType: HKDocumentType, predicate: NSPredicate?, limit: Int,
        sortDescriptors: [NSSortDescriptor]?, includeDocumentData: Bool,
        resultsHandler:
            @escaping @Sendable (HKDocumentQuery, [HKDocumentSample]?, Bool, (any Error)?) -> Void
    ) {
        maximumDocuments = limit
        order = sortDescriptors
        withData = includeDocumentData
        handler = QueryHandler(resultsHandler)
        super.init(_objectType: documentType, predicate: predicate)
    }

    /// The maximum number of documents; ``HKObjectQueryNoLimit`` for no limit.
    open var limit: Int { maximumDocuments }
    /// The order of the documents; nil for the default order.
    open var sortDescriptors: [NSSortDescriptor]? { order }
    /// Whether the documents' contents are included.
    open var includeDocumentData: Bool { withData }

    override func run(_ execution: QueryExecution) throws {
        guard let type = objectType as? HKDocumentType else { return }
        let found = try execution.samples(
            [HKQueryDescriptor(sampleType: type, predicate: predicate)], limit: limit,
            sortedBy: SampleSort.list(order ?? []))
        let documents = found.compactMap { $0 as? HKDocumentSample }
        if documents.isEmpty { execution.deliver { handler.current?(self, [], true, nil) } }
        for start in stride(from: 0, to: documents.count, by: HKDocumentQuery.pageSize)
        where !execution.isStopped {
            let end = min(start + HKDocumentQuery.pageSize, documents.count)
            let page = documents[start..<end].map { document in
                guard withData, let document = document as? HKCDADocumentSample else {
                    return document
                }
                return document.includingData()
            }
            execution.deliver {
                handler.current?(self, page, end == documents.count, nil)
            }
        }
    }

    override func report(_ error: HKError) { handler.current?(self, nil, true, error) }
    override func releaseHandlers() { handler.current = nil }
}
