"""The HTTP server: uvicorn, with bounds on its clients and a short way for reviews."""
