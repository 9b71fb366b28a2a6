# home: where `~` leads.
printf %s "$HOME"
say ok
