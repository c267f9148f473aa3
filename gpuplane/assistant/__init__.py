"""What an assistant can ask of a platform repository, by the Model Context Protocol."""
