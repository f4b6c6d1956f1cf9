/** What a command's exit code says. Interrupted ones end with 130 (SIGINT) or 143 (SIGTERM), as shells expect. */
export const EXIT = { clean: 0, findings: 1, couldNot: 2, interrupted: 130, terminated: 143 } as const;
