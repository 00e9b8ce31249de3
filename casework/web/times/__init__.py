"""The parties' times: let them stand still, and let them go on."""
