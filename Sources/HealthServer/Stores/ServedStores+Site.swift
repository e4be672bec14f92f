#if Server
    import HealthDashboard

    extension ServedStores {
        /// The pages that belong to no store: the first visit, imports, the choice of a person, and
        /// sample data.
        var site: Site {
            Site(
                pages: [
                    page(FirstVisitPage.path, firstVisit), page(ImportPage.path, importPage),
                    ServedPage(form: ImportPage.cancelPath) { [self] query in
                        imports(for: query.formKey).cancel()
                        return ImportPage.path
                    },
                    ServedPage(form: ImportPage.confirmPath) { [self] query in
                        try refusing { try imports(for: query.formKey).confirm() }
                        return ImportPage.path
                    },
                    ServedPage(form: ImportPage.undoPath, action: undo),
                    page(PersonsPage.path, personsPage),
                    ServedPage(form: PersonsPage.path, action: choosePerson),
                    ServedPage(form: SamplePage.path, action: createSample),
                    ServedPage(form: SamplePage.removalPath) { [self] _ in
                        try await removeSample()
                        return FirstVisitPage.path
                    },
                ],
                files: [
                    ServedFile(
                        path: Stylesheet.path, contentType: "text/css; charset=utf-8",
                        text: Stylesheet.text),
                    ServedFile(
                        path: Script.path, contentType: "text/javascript; charset=utf-8",
                        text: Script.text),
                    ServedFile(
                        path: ImportScript.path, contentType: "text/javascript; charset=utf-8",
                        text: ImportScript.text),
                ],
                errorPage: {
                    PageFrame().message(title: $0.title, sentence: $0.sentence)
                })
        }

        private func page<Value: HTMLPage>(
            _ path: String, _ compose: @escaping @Sendable (PageQuery) async throws -> Value
        ) -> ServedPage {
            ServedPage(at: path, compose: compose) { [self] value, query in
                let audience = audience(for: query.formKey)
                return value.html(PageFrame(formKey: query.formKey, audience: audience))
            }
        }

        private var sampleOffer: FirstVisitPage.SampleOffer {
            surroundings.sample == nil ? .missing : .offered
        }

        @Sendable private func firstVisit(_ query: PageQuery) async throws -> FirstVisitPage {
            FirstVisitPage(sample: sampleOffer, maximumBytes: surroundings.limits.bytes)
        }

        @Sendable private func importPage(_ query: PageQuery) async throws -> ImportPage {
            let shown = store(for: query.formKey)
            let person = isSample(shown) ? owner : shown.person
            return try await ImportPage(imports(for: query.formKey), of: person.name)
        }

        @Sendable private func undo(_ query: PageQuery) async throws -> String {
            guard let number = query["number"].flatMap({ Int64($0) }) else {
                throw PageError.badRequest("The form has no number of an import.")
            }
            do {
                try await imports(for: query.formKey).undo(number)
            } catch let refusal as UploadRefusal { throw RequestRejection(refusal) }
            return ImportPage.path
        }

        /// Turns the refusal of an import into a response.
        private func refusing(_ body: () throws -> Void) throws {
            do { try body() } catch let refusal as UploadRefusal { throw RequestRejection(refusal) }
        }

        @Sendable private func personsPage(_ query: PageQuery) async throws -> PersonsPage {
            let shown = store(for: query.formKey).person.path
            return PersonsPage(
                await persons().map { PersonsPage.Row(name: $0.name, isShown: $0.path == shown) },
                sample: sampleOffer)
        }

        @Sendable private func choosePerson(_ query: PageQuery) async throws -> String {
            let name = query[PersonsPage.field]
            let persons = await persons()
            guard let person = name == nil ? owner : persons.first(where: { $0.name == name })
            else { throw PageError.notFound("This folder has no store of that person.") }
            choose(person, for: query.formKey)
            return "/"
        }

        @Sendable private func createSample(_ query: PageQuery) async throws -> String {
            try await showSample(for: query.formKey)
            return "/"
        }
    }
#endif
