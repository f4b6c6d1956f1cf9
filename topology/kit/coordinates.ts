/** Where a record lies. Two reads of the same coordinates are one record (R17). */
export type Coordinates = { readonly topic: string; readonly partition: number; readonly offset: bigint };

export const formatCoordinates = ({ topic, partition, offset }: Coordinates): string =>
  `${topic}/${partition}/${offset.toString()}`;
