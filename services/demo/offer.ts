import type { Part } from '@a2a-js/sdk';

/** The media types a worker can write an offer in. */
export const EMITTED_TYPES = ['application/json', 'text/plain'] as const;
export type EmittedType = (typeof EMITTED_TYPES)[number];

/** Made of the request and the answer alone, so that two attempts at one request draft the same bytes. */
export type Offer = {
  readonly status: 'draft' | 'final';
  readonly request: string;
  readonly colour: string | null;
  readonly price: string;
};

const PRICE = '1180.00 EUR';

/** The offer while its colour is open. */
export const draftOffer = (request: string): Offer => ({ status: 'draft', request, colour: null, price: PRICE });

/** The offer once the colour is known, or guessed. */
export const finalOffer = (request: string, colour: string): Offer => ({
  status: 'final',
  request,
  colour,
  price: PRICE,
});

/** The offer as a part of exactly this media type. */
export const offerPart = (offer: Offer, mediaType: EmittedType): Part => ({
  content:
    mediaType === 'application/json' ? { $case: 'data', value: offer } : { $case: 'text', value: offerText(offer) },
  mediaType,
  filename: '',
  metadata: undefined,
});

const offerText = ({ status, request, colour, price }: Offer): string =>
  `${status === 'draft' ? 'Draft' : 'Offer'}: ${request}. Colour: ${colour ?? 'open'}. Price: ${price}.`;
