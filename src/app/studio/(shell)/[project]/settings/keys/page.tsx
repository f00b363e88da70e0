export { metadata, KeysPage as default } from '#studio/settings/keys/KeysPage'
