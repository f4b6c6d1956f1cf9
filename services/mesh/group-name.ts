/** The consumer group of a role, and what its transactional IDs begin with; the topic prefix is put before it. */
export const groupNameOf = (role: string): string => `holdfast-${role}`;
