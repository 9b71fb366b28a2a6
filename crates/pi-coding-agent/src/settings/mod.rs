//! Settings: global and project files, defaults, writing back without losing what others wrote.
