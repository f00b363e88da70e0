export { metadata, NewFlagPage as default } from '#studio/flags/new/NewFlagPage'
