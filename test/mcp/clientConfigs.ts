/** Configuration files as people have them, one for each client. */
import type { Client } from "#cli/mcp/clients.ts"

/** The file's text by client. */
export const samples: Readonly<Record<Client, string>> = {
  "claude-code": `{
  "mcpServers": {
    "tickets": {
      "type": "http",
      "url": "https://tickets.example/mcp",
      "headers": { "Authorization": "Bearer \${TICKETS_KEY:-none}" }
    }
  }
}
`,
  "claude-desktop": `{
  "mcpServers": {
    "filesystem": {
      "command": "npx",
      "args": ["-y", "@modelcontextprotocol/server-filesystem", "/people/me/Desktop"]
    }
  },
  "globalShortcut": "Alt+Space",
  "preferences": {"menuBarEnabled":false}
}
`,
  codex: `# Which model thinks
model = "large"
approval_policy = "on-request"
notify = [
  "notify-send", # on Linux
  "Done",
]

[mcp_servers.docs]
command = "npx"
args = ["-y", "docs-mcp"]
env = { "LANG" = "en" }

[mcp_servers."with.dot"]
url = "https://dot.example/mcp"
bearer_token_env_var = "DOT_KEY" # in the keychain

[projects."/people/me/work"]
trust_level = "trusted"

[[hooks]]
event = "stop"
`,
  cursor: `{"mcpServers": {
    "browser": {"command": "npx", "args": ["@playwright/mcp@latest"]},
    "notes": {"url": "https://notes.example/mcp", "headers": {"Authorization": "Bearer \${env:NOTES_KEY}"}}
}}
`,
  "gemini-cli": `{
  // Theme of the terminal
  "ui": { "theme": "GitHub" },
  "security": { "auth": { "selectedType": "oauth-personal" } },
  "mcp": { "allowed": ["tickets"] }, /* others are off */
  "mcpServers": {
    "tickets": {
      "httpUrl": "https://tickets.example/mcp",
      "timeout": 5000,
      "trust": false
    }
  }
}
`,
  vscode: `{
	// Asked once, kept in the keychain.
	"inputs": [
		{ "type": "promptString", "id": "tickets-key", "description": "Key", "password": true },
	],
	"servers": {
		"tickets": {
			"type": "http",
			"url": "https://tickets.example/mcp",
			"headers": { "Authorization": "Bearer \${input:tickets-key}" },
		}, // shared by the team
		/* "old": { "command": "old" }, */
	},
}
`,
  windsurf: `{
  "mcpServers": {
    "tickets": {
      "serverUrl": "https://tickets.example/mcp",
      "disabledTools": ["delete_ticket"]
    }
  }
}
`,
  zed: `// Zed settings
//
// For information on how to configure Zed, see the Zed documentation.
{
  "theme": {
    "mode": "system",
    "light": "One Light",
    "dark": "One Dark", // at night
  },
  "buffer_font_size": 16,
  "lsp": {
    "rust-analyzer": { "binary": { "path": "/opt/ra" } },
  },
  // "context_servers": {},
}
`
}
