//! Which models exist and how a request to one is authorised: models.json, the registry, pattern resolution.
