package config

// CacheSpec configures what happens to the caches between launches. They are
// cold at the first one.
type CacheSpec struct {
	FlushBetweenLaunches bool `toml:"flush_between_launches" unit:"-" doc:"every launch starts with cold caches; otherwise they stay as the launch before left them"`
}
