"""The HTTP server: uvicorn, with limits on slow clients and a short path for reviews."""
