// The suites in the folders beside this file wait for the parts of the API that they ask.
