/** MCP server over the catalogue. */
export {}
