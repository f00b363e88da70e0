export { metadata, FlagsPage as default } from '#studio/flags/FlagsPage'
