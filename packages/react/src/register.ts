/**
 * The flags of the project. An app declares its own, so that a misspelled key does not compile:
 *
 *     declare module '@tilth/react' {
 *       interface Register {
 *         flags: { headline: 'control' | 'bold'; 'new-checkout': boolean }
 *         payloads: { limits: { uploads: number } }
 *       }
 *     }
 */
// an interface, because only interfaces can be extended by the app
// oxlint-disable-next-line typescript/no-empty-object-type
export interface Register {}

type RegisteredFlags = Register extends { flags: infer Flags extends object }
  ? Flags
  : Record<string, boolean | string>

type RegisteredPayloads = Register extends { payloads: infer Payloads extends object }
  ? Payloads
  : Record<string, unknown>

export type FlagKey = Extract<keyof RegisteredFlags, string>

/** A variant's key, or whether the flag is on. A flag with variants is `false` for visitors outside of its rollout. */
export type FlagValue<Key extends FlagKey = FlagKey> = RegisteredFlags[Key] | false

export type VariantOf<Key extends FlagKey> = Extract<RegisteredFlags[Key], string>

export type PayloadKey = Extract<keyof RegisteredPayloads, string>
export type PayloadOf<Key extends PayloadKey> = RegisteredPayloads[Key]

/** The payload of a flag that only some visitors get. */
export type MaybePayload<Key extends PayloadKey> = Partial<RegisteredPayloads>[Key]
