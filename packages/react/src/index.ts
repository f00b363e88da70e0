'use client'

export type { TilthBootstrap } from './bootstrap'
export type { EventDetails } from './delivery'
export type { FlagKey, FlagValue, MaybePayload, PayloadKey, PayloadOf, Register, VariantOf } from './register'
export { identify, TilthProvider, type TilthProviderProps, track } from './provider'
export { useFlag, useFlagPayload, useFlagsReady, useIdentify, useTrack } from './hooks'
export { Experiment, Exposure, Variant } from './variants'
